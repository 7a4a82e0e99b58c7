"""Fixtures: a hostile repository, made once, and its user, who has never seen it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.security.hostile import Hostile, Listener


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hostile]:
    """Create the repository."""
    listener = Listener()
    yield Hostile(tmp_path_factory.mktemp("hostile"), listener)
    listener.close()


@pytest.fixture
def hostile(made: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hostile]:
    """Enter the repository as a user who has a key and other runs. In the end, check that nothing of it was run."""
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
        (tmp_path / name).mkdir()
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("TEMPORAL_ADDRESS", raising=False)
    monkeypatch.chdir(made.folder)
    for path in made.trap.witnesses.iterdir():
        path.unlink()
    made.listener.connections = 0
    secret = sorted(path.name for path in made.outside.iterdir())
    yield made
    assert made.sprung == []
    assert made.listener.connections == 0
    assert sorted(path.name for path in made.outside.iterdir()) == secret
    assert sorted(os.listdir(made.folder / "~" / ".local" / "state" / "stepscript")) == ["trust"]
