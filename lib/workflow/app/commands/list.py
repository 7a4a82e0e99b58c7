"""`stepscript list`: lists the workflows."""

from itertools import groupby

import click

from ...state.own_skills import pending, project
from ...util.output import DONE, REFUSED
from ..arguments import json_option
from ..output.screen import Screen, count, emit, err, out
from ..skills.listing import Listing, Row
from ..skills.listing_cache import listing


@click.command()
@click.option("--all", "everything", is_flag=True, help="also list workflows that only agents start")
@json_option
def command(everything: bool, as_json: bool) -> int:
    """List the workflows of packages and of this project.

    Workflows that only agents start are left out, unless --all is given. A module that should hold a workflow and
    cannot be used is reported on standard error; the exit status is then 1.
    """
    found = listing(everything or as_json)
    if as_json:
        rows, broken = ([item._asdict() for item in items] for items in (found.rows, found.faults))
        emit({"workflows": rows, "unusable": broken})
    else:
        _print(found, everything, out())
    for fault in found.faults:
        err().error(f"{fault.home} cannot be used\n{fault.reason}")
    waiting = pending(project())
    if waiting:
        err().line(waiting)
    return REFUSED if found.faults else DONE


def _print(found: Listing, everything: bool, screen: Screen) -> None:
    rows = {package: tuple(group) for package, group in groupby(found.rows, lambda row: row.package)}
    for package, unread in found.unread:
        screen.line((package, "bold"))
        _print_package(rows.get(package, ()), unread, everything, screen)
        if package not in rows:
            broken = any(fault.package == package for fault in found.faults)
            screen.line(("  no usable workflow" if broken else "  no workflow", "dim"))
        screen.line()
    if found.unread:
        screen.line(("stepscript show NAME describes a workflow and shows how to start it", "dim"))
    else:
        screen.line("No installed package has workflows.")


def _print_package(rows: tuple[Row, ...], unread: int, everything: bool, screen: Screen) -> None:
    shown = [row for row in rows if everything or not row.for_agents]
    for row in shown:
        screen.line("  ", (row.name, "cyan"), (f"  {count(row.steps, 'step')}", "dim"))
        screen.paragraph(row.description, indent=4)
    hidden = len(rows) - len(shown) + unread
    if hidden:
        screen.line((f"  and {count(hidden, 'workflow')} for agents; --all shows them", "dim"))
