"""The rows of `stepscript list`."""

from typing import NamedTuple


class Row(NamedTuple):
    """One workflow."""

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
    """The workflows of the installed packages."""

    rows: tuple[Row, ...]
    faults: tuple[Fault, ...]
    unread: tuple[tuple[str, int], ...]
    """Each package with its number of unread modules, whose workflows only agents start."""


def read_listing(everything: bool) -> Listing:
    """Read the installed workflows. Without `everything`, modules that only agents start are not read."""
    from . import shelves, start_commands  # they import every workflow

    rows, faults, unread = [], [], []
    for shelf in shelves.shelves(everything):
        for item in shelf.found:
            workflow = item.workflow
            by_hand = start_commands.starts_by_hand(item)
            rows.append(
                Row(
                    shelf.package,
                    workflow.name,
                    workflow.total_steps,
                    workflow.description,
                    str(start_commands.start(workflow)),
                    not by_hand,
                )
            )
        faults += [Fault(shelf.package, *fault) for fault in shelf.unusable]
        unread.append((shelf.package, shelf.unread))
    return Listing(tuple(rows), tuple(faults), tuple(unread))
