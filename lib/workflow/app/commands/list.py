"""`stepscript list`: what there is to run."""

import click

from ...discovery import Found
from ...output import DONE, REFUSED
from ..arguments import json_option
from ..screen import Screen, count, emit, err, out
from ..shelves import Shelf, shelves
from ..starts import start, starts_by_hand


@click.command()
@click.option("--all", "everything", is_flag=True, help="Those too that only agents start.")
@json_option
def command(everything: bool, as_json: bool) -> int:
    """The workflows that are installed, by package.

    What a skill hands to agents is left out, unless --all asks for it.

    A module that should hold one and cannot be used is named on standard error; the exit status is then 1.
    """
    every = tuple(shelves(everything or as_json))
    faults = [(shelf.package, fault) for shelf in every for fault in shelf.unusable]
    if as_json:
        rows = [_row(shelf, item) for shelf in every for item in shelf.found]
        broken = [{"package": package, **fault._asdict()} for package, fault in faults]
        emit({"workflows": rows, "unusable": broken})
    else:
        _print(every, everything, out())
    for _, fault in faults:
        err().error(f"{fault.home} cannot be used\n{fault.reason}")
    return REFUSED if faults else DONE


def _row(shelf: Shelf, item: Found) -> dict[str, object]:
    workflow = item.workflow
    return {
        "name": workflow.name,
        "package": shelf.package,
        "steps": workflow.total_steps,
        "description": workflow.description,
        "start": str(start(workflow)),
        "for_agents": not starts_by_hand(item),
    }


def _print(every: tuple[Shelf, ...], everything: bool, screen: Screen) -> None:
    for shelf in every:
        screen.line((shelf.package, "bold"))
        shown = [item for item in shelf.found if everything or starts_by_hand(item)]
        for item in shown:
            steps = count(item.workflow.total_steps, "step")
            screen.line("  ", (item.workflow.name, "cyan"), (f"  {steps}", "dim"))
            screen.paragraph(item.workflow.description, indent=4)
        hidden = len(shelf.found) - len(shown) + shelf.unread
        if hidden:
            screen.line((f"  and {count(hidden, 'workflow')} of agents; --all shows them", "dim"))
        if not shelf.found:
            screen.line(("  none that can be used" if shelf.unusable else "  no workflow", "dim"))
        screen.line()
    if every:
        screen.line(("stepscript show NAME tells more of one, and how to start it", "dim"))
    else:
        screen.line("No installed package has workflows.")
