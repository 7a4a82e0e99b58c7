"""`stepscript rehearse`: drives a workflow with simulated agents."""

import os
import tempfile
from contextlib import nullcontext

import click

from ...discovery import Found
from ...run.engine import Spec
from ...run.faults import Fault
from ...state.run_folder import prepared
from ...util.output import DONE
from ..arguments import Number, Whole, engine_options, json_option
from ..output.screen import count, out
from ..output.writing import writing
from ..runs.driving import go, sample_command
from ..runs.engines import fresh
from ..runs.found_runs import DRIVER
from ..runs.rehearsing import Rehearsal, prepare
from ..runs.standings import TEMPORAL, chosen
from ..workflow_argument import workflow_argument

MOST_LINES = 24
"""Maximum lines shown of a page that a run has left."""
FAULTS = tuple(map(str, Fault))


@click.command()
@workflow_argument
@click.argument("request", default="")
@click.option(
    "--seed",
    type=Whole(0, 999_999_999),
    default=0,
    show_default=True,
    help="number that determines the run; 0 takes the longest way",
)
@click.option(
    "--fault", "faults", multiple=True, type=click.Choice(FAULTS), help="what agents sometimes do wrong; repeatable"
)
@click.option("--all-faults", is_flag=True, help="simulate all faults")
@click.option("--pace", type=Number(0, 10), default=0, help="seconds that each agent takes, to watch the run")
@click.option("--processes", is_flag=True, help="run the steps as processes, as agents do")
@click.option("--keep", metavar="FOLDER", help="keep the run in this folder, to inspect or resume it")
@engine_options
@json_option
def command(
    found: Found,
    request: str,
    seed: int,
    faults: tuple[str, ...],
    all_faults: bool,
    pace: float,
    processes: bool,
    keep: str | None,
    engine: str,
    address: str,
    namespace: str,
    host_queue: str,
    pool: str,
    as_json: bool,
) -> int:
    """Run a workflow with simulated agents, in seconds.

    They only follow the pages, and write plans and verdicts through the printed commands. Without --seed, the run takes
    the longest way: loops, agents, a question. The same seed makes the same run. --fault makes reviews fail, and agents
    ask, talk nonsense, crash and hang.
    """
    wanted = tuple(fault for fault in Fault if all_faults or fault in faults)
    if engine == TEMPORAL and keep is None:
        raise click.UsageError("a rehearsal on a server needs its own folder: add --keep FOLDER")
    choice = chosen(engine, address, namespace, host_queue, pool)
    with nullcontext(keep) if keep else tempfile.TemporaryDirectory(prefix="stepscript-") as place:
        folder = os.path.abspath(place if keep else os.path.join(place, "run"))
        run, start = fresh(folder), sample_command(found.workflow, request, folder)
        with writing(keep or folder, "folder"):
            prepare(start)
            prepared(folder)
        spec = Spec(
            workflow=found.workflow.name,
            start=str(start),
            request=request,
            agent=str(Rehearsal(seed=seed, faults=wanted, pace=pace, processes=processes)),
        )
        status = go(run, spec, as_json, kept=keep is not None, choice=choice)
        if status == DONE and not as_json:
            _show(folder, keep is not None)
        return status


def _show(folder: str, kept: bool) -> None:
    """Show the files that the run left, except the driver's, and the beginning of pages for people."""
    screen = out()
    names = sorted(name for name in os.listdir(folder) if not name.startswith((DRIVER, ".")))
    for name in (name for name in names if name.endswith(".md")):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            lines = file.read().splitlines()
        screen.line()
        screen.line((name, "bold"))
        for line in lines[:MOST_LINES]:
            screen.line((f"  {line}", "dim"))
        if len(lines) > MOST_LINES:
            screen.line((f"  ... {count(len(lines) - MOST_LINES, 'more line')}", "dim"))
    if not names:
        return
    screen.line()
    screen.line("left in ", (folder, "bold"))
    screen.paragraph("  ".join(names), 2)
    if not kept:
        screen.line("which is now deleted; to inspect it, keep it with  --keep FOLDER")
