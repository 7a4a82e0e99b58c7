"""What `stepscript list` tells, in rows."""

from typing import NamedTuple


class Row(NamedTuple):
    """A workflow."""

    package: str
    name: str
    steps: int
    description: str
    start: str
    for_agents: bool


class Fault(NamedTuple):
    """A module that should hold a workflow and cannot be used."""

    package: str
    home: str
    reason: str


class Listing(NamedTuple):
    """What the installed packages hold."""

    rows: tuple[Row, ...]
    faults: tuple[Fault, ...]
    unread: tuple[tuple[str, int], ...]
    """Each package, and how many of its modules were left unread because only agents start what they hold."""


def read_listing(everything: bool) -> Listing:
    """What is installed. Without `everything`, modules that only agents start are left unread."""
    from .shelves import shelves  # imports every workflow
    from .start_commands import start, starts_by_hand

    rows, faults, unread = [], [], []
    for shelf in shelves(everything):
        for item in shelf.found:
            told = item.workflow
            by_hand = starts_by_hand(item)
            rows.append(
                Row(shelf.package, told.name, told.total_steps, told.description, str(start(told)), not by_hand)
            )
        faults += [Fault(shelf.package, *fault) for fault in shelf.unusable]
        unread.append((shelf.package, shelf.unread))
    return Listing(tuple(rows), tuple(faults), tuple(unread))
