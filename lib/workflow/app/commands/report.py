"""`stepscript report`: writes a run as one page for a browser."""

import os

import click

from ...state.files import PRIVATE, OddFileError, replace_whole
from ...state.run_dirs import check_unlinked
from ...util.output import DONE
from ..arguments import json_option
from ..reports import report_of
from ..screen import emit, out
from ..writing import writing

NAME = "report.html"


@click.command()
@click.option("--state-dir", required=True, metavar="D", help="the run directory")
@click.option("--output", metavar="FILE", help=f"file to write the page to (default: {NAME} in the run directory)")
@click.option("--open", "shown", is_flag=True, help="open the page in the browser")
@json_option
def command(state_dir: str, output: str | None, shown: bool, as_json: bool) -> int:
    """Write a run as one HTML page.

    For a run of the planner: the plan, its diagrams, the rounds of review, open points. For one of incoherence: the
    findings, decisions and changes. The page needs no network and runs nothing, so you can send it to others.
    """
    from ...render.html import render_html

    if output is None:
        check_unlinked(state_dir)
    path = os.path.abspath(output or os.path.join(state_dir, NAME))
    page = render_html(report_of(state_dir)).encode()
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
