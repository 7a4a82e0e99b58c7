"""`stepscript report`: writes a run as one page for a browser."""

import os
import time
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...render.html import render_html
from ...run.journal.projection import State
from ...state.files import PRIVATE, OddFileError, replace_whole
from ...state.run_dirs import check_unlinked
from ...state.run_documents import folder_at
from ...util.output import DONE, REFUSED
from ..arguments import json_option
from ..output.screen import emit, out
from ..output.writing import writing
from ..runs.found_runs import drivers, find, undriven
from ..runs.reports import report_of, report_or_none
from ..runs.run_argument import run_argument
from ..runs.standings import STATUS, changes_at, standing_at, unasked
from ..runs.trust import is_strange_server
from ..runs.views.run_report import run_document

if TYPE_CHECKING:
    from ...ast.nodes import Document

NAME = "report.html"
OFTEN = 15
"""Seconds after which a watched page is written without an event, because it shows times."""
SHARE = 4
"""Minimum pause between two versions of a watched page, in the time that writing one takes."""


@click.command()
@run_argument
@click.option("--state-dir", metavar="D", help="the run directory, instead of RUN")
@click.option("--output", metavar="FILE", help=f"file to write the page to (default: {NAME} in the run directory)")
@click.option("--open", "shown", is_flag=True, help="open the page in the browser")
@click.option("--watch", is_flag=True, help="write the page again after each event, until the run stops")
@json_option
def command(run: str | None, state_dir: str | None, output: str | None, shown: bool, watch: bool, as_json: bool) -> int:
    r"""Write a run as one HTML page.

    For a run that stepscript drives: its verdict, a timeline of pages and agents, replies, questions, failures. For a
    run of the planner also the plan, its diagrams, the rounds of review, open points. For one of incoherence: the
    findings, decisions and changes. The page needs no network and runs nothing, so you can send it to others. With
    --watch it loads itself again and keeps your place in it, until the run stops.

    \b
    Exit status of --watch: 0 the run is done; 1 it stopped or was cancelled;
    3 it waits for you; 130 nobody drives it any more.
    """
    if run and state_dir:
        raise click.UsageError("name the run once: as RUN or with --state-dir")
    folder = folder_at(state_dir) if state_dir else _folder(run)
    if output is None:
        check_unlinked(folder)
    path = os.path.abspath(output or os.path.join(folder, NAME))

    def write(is_live: bool) -> None:
        with writing(output or path, "file"):
            if os.path.islink(path):
                raise OddFileError("is a symbolic link", path)
            replace_whole(path, render_html(_document(folder), is_live).encode(), None if output else PRIVATE)

    def tell() -> None:
        emit({"report": path}, one_line=watch) if as_json else out().line(path)
        out().stream.flush()
        if shown:
            webbrowser.open(Path(path).as_uri())

    if watch:
        return _watch(folder, write, tell)
    write(False)
    tell()
    return DONE


def _watch(folder: str, write: Callable[[bool], None], tell: Callable[[], None]) -> int:
    """Write the page after each event, and once more when the run stops. Returns the exit status of that state."""
    driver = next(iter(drivers(folder)[-1:]), None)
    if driver is None:
        raise click.UsageError("--watch: an agent leads this run itself; write the report again when you need it")
    changes = changes_at(driver)
    look = unasked if is_strange_server(driver) else standing_at
    shown: tuple[str, State] | None = None
    begun = taken = 0.0
    try:
        while True:
            now = look(driver)
            is_live, idle = now.state is State.AT_WORK, time.monotonic() - begun
            is_new = (now.account.last, now.state) != shown and idle > SHARE * taken
            if not is_live or is_new or idle > OFTEN:
                begun = time.monotonic()
                write(is_live)
                taken = time.monotonic() - begun
                if shown is None:
                    tell()
                shown = (now.account.last, now.state)
            if not is_live:
                return STATUS.get(now.state, REFUSED)
            next(changes)
    except KeyboardInterrupt:
        write(False)
        raise


def _folder(run: str | None) -> str:
    """Return the run directory of a handle. Raises ValueError, which lists the runs."""
    return undriven(run) or os.path.dirname(find(run))


def _document(folder: str) -> "Document":
    """Return the report: of the driver, of the skill, or both. Raises UsageError for a folder without a run."""
    if not drivers(folder):
        return report_of(folder)
    return run_document(folder, report_or_none(folder))
