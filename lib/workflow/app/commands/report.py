"""`stepscript report`: writes a run as one page for a browser."""

import os
from typing import TYPE_CHECKING

import click

from ...state.files import PRIVATE, OddFileError, replace_whole
from ...state.run_dirs import check_unlinked
from ...util.output import DONE
from ..arguments import json_option
from ..run_argument import run_argument
from ..screen import emit, out
from ..writing import writing

if TYPE_CHECKING:
    from ...ast.nodes import Document

NAME = "report.html"


@click.command()
@run_argument
@click.option("--state-dir", metavar="D", help="the run directory, instead of RUN")
@click.option("--output", metavar="FILE", help=f"file to write the page to (default: {NAME} in the run directory)")
@click.option("--open", "shown", is_flag=True, help="open the page in the browser")
@json_option
def command(run: str | None, state_dir: str | None, output: str | None, shown: bool, as_json: bool) -> int:
    """Write a run as one HTML page.

    For a run that stepscript drives: its verdict, a timeline of pages and agents, replies, questions, failures. For a
    run of the planner also the plan, its diagrams, the rounds of review, open points. For one of incoherence: the
    findings, decisions and changes. The page needs no network and runs nothing, so you can send it to others.
    """
    from ...render.html import render_html

    if run and state_dir:
        raise click.UsageError("name the run once: as RUN or with --state-dir")
    folder = state_dir or _folder(run)
    if output is None:
        check_unlinked(folder)
    path = os.path.abspath(output or os.path.join(folder, NAME))
    page = render_html(_document(folder)).encode()
    with writing(output or path, "file"):
        if os.path.islink(path):
            raise OddFileError("is a symbolic link", path)
        replace_whole(path, page, None if output else PRIVATE)
    emit({"report": path}) if as_json else out().line(path)
    if shown:
        import webbrowser
        from pathlib import Path

        webbrowser.open(Path(path).as_uri())
    return DONE


def _folder(run: str | None) -> str:
    """Return the run directory of a handle. Raises ValueError, which lists the runs."""
    from ..found_runs import find, undriven

    return undriven(run) or os.path.dirname(find(run))


def _document(folder: str) -> "Document":
    """Return the report: of the driver, of the skill, or both. Raises UsageError for a folder without a run."""
    from ..found_runs import drivers
    from ..reports import report_of, report_or_none

    if not drivers(folder):
        return report_of(folder)
    from ..run_report import run_document

    return run_document(folder, report_or_none(folder))
