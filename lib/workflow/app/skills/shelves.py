"""The installed packages with workflows, and their contents."""

from collections.abc import Iterator
from typing import NamedTuple

from ...discovery import DiscoveryError, Found, Unusable, candidates, search
from ...state.own_skills import pending, project
from ...util.suggest import nearest
from .packages import packages
from .start_commands import is_agents_script, starts_by_hand


class Shelf(NamedTuple):
    """One package."""

    package: str
    found: tuple[Found, ...]
    unusable: tuple[Unusable, ...]
    unread: int = 0
    """Number of unread modules, whose workflows only agents start."""


def shelves(everything: bool = True) -> Iterator[Shelf]:
    """Return the packages, each read on demand. A workflow with an earlier one's name is unusable.

    Without `everything`, scripts that a skill file does not name are not read, if it names another of their skill.
    """
    first: dict[str, str] = {}
    return (_shelf(package, first, everything) for package in packages())


def _shelf(package: str, first: dict[str, str], everything: bool) -> Shelf:
    try:
        homes = candidates(package)
        wanted = homes if everything else tuple(home for home in homes if not is_agents_script(home, homes))
        found, unusable = search(package, wanted)
    except DiscoveryError as error:
        return Shelf(package, (), (Unusable(package, str(error)),))
    doubles = []
    for item in found:
        home = first.setdefault(item.workflow.name, item.home)
        if home != item.home:
            doubles.append(Unusable(item.home, f"duplicate workflow {item.workflow.name!r}; the first is in {home}"))
    doubled = {double.home for double in doubles}
    kept = tuple(item for item in found if item.home not in doubled)
    return Shelf(package, kept, (*unusable, *doubles), len(homes) - len(wanted))


def find(name: str) -> Found:
    """Return the workflow of this name. Raises DiscoveryError, which lists the workflows."""
    read: list[Shelf] = []
    for shelf in shelves():
        for item in shelf.found:
            if item.workflow.name == name:
                return item
        read.append(shelf)
    faults = [fault for shelf in read for fault in shelf.unusable]
    meant = next((fault for fault in faults if name.replace("-", "_") in fault.home.split(".")), None)
    if meant:
        raise DiscoveryError(f"{name} cannot be used: {meant.reason}")
    items = [item for shelf in read for item in shelf.found]
    near = nearest(name, (item.workflow.name for item in items))
    by_hand = sorted(item.workflow.name for item in items if starts_by_hand(item))
    what = f"Did you mean {near}?" if near else f"Workflows: {', '.join(by_hand) or 'none'}"
    more = "" if near or len(by_hand) == len(items) else "\nstepscript list --all  also lists those for agents"
    waiting = f"\n{text}" if (text := pending(project())) else ""
    broken = "".join(f"\n{fault.home} cannot be used: {fault.reason}" for fault in faults)
    raise DiscoveryError(f"there is no workflow {name!r:.60}. {what}{more}{broken}{waiting}")


def package_of(found: Found) -> str:
    """Return the installed package that holds the workflow."""
    return next((name for name in packages() if f"{found.home}.".startswith(f"{name}.")), found.home.partition(".")[0])
