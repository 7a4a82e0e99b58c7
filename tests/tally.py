"""A small state, and a store for it."""

from collections.abc import Callable
from pathlib import Path

from attrs import frozen

from lib.workflow.codec import codec
from lib.workflow.state.store import Store


@frozen
class Tally:
    names: tuple[str, ...] = ()
    count: int = 0


def sums_up(tally: Tally) -> None:
    if tally.count != len(tally.names):
        raise ValueError(f"count: {tally.count} is not {len(tally.names)}")


def store_at(path: Path, wait: float = 5) -> Store[Tally]:
    return Store(str(path), codec(Tally), remedy="run init", check=sums_up, wait=wait)


def add(name: str) -> Callable[[Tally], tuple[Tally, str]]:
    return lambda tally: (Tally((*tally.names, name), tally.count + 1), name)


def seen(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return every file, with its content and its inode, which a write would change."""
    return {path.name: (path.read_bytes(), path.stat().st_ino) for path in folder.iterdir() if path.is_file()}
