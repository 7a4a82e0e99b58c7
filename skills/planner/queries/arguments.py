"""Command line of the modules that only query a run."""

import argparse
from collections.abc import Callable, Sequence
from typing import Final

from lib.workflow.ast.nodes import Document
from lib.workflow.cli.parser import Help, Parser
from lib.workflow.cli.script import DONE, JSON, Forms, Renderer
from lib.workflow.cli.script import FORMS as STEP_FORMS
from lib.workflow.state.run_documents import folder_at

from ..state.run_state import RunState
from .runs import newest


def _json() -> Renderer:
    from lib.workflow.render.json import render_json

    return render_json


FORMS: Final[Forms] = {**STEP_FORMS, JSON: _json}
"""Formats of the modules."""


def parsed(program: str, does: str, words: Sequence[str]) -> argparse.Namespace:
    """Return the parsed words. Raises UsageError."""
    parser = Parser(prog=program, description=does, formatter_class=Help, allow_abbrev=False)
    which = "the run directory (default: the last active run of this project)"
    parser.add_argument("--state-dir", metavar="X", help=which)
    parser.add_argument(
        "--format", dest="form", choices=tuple(FORMS), default="xml", help="output format (default: xml)"
    )
    short = f"short for --format {JSON}"
    parser.add_argument(f"--{JSON}", dest="form", action="store_const", const=JSON, help=short)
    return parser.parse_args(words)


def run_of(arguments: argparse.Namespace) -> RunState:
    """Return the run that the options name. Raises RefusedError if none exists."""
    return newest() if arguments.state_dir is None else RunState(folder_at(arguments.state_dir))


def printed(arguments: argparse.Namespace, query: Callable[[RunState], Document]) -> tuple[int, str]:
    """Return the exit status and the document about the run, in the requested format."""
    return DONE, FORMS[arguments.form]()(query(run_of(arguments)))
