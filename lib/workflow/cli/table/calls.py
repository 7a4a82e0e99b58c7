"""The composition root of a table's script: runs one request or a batch, prints the result, returns the exit status."""

import importlib
from collections.abc import Sequence
from typing import Any, Final

from ...ast.fields import Node
from ...ast.nodes import Code
from ...errors import UsageError, WorkflowError
from ...util.output import DONE, REFUSED
from ..script import FORMS as STEP_FORMS
from ..script import Forms, Renderer, begin, run
from .command_line.line import Call, read_call
from .requests import RequestError, permit
from .rows import Printed, Table

PLAIN: Final = "plain"
"""The format with plain texts, and results as XML."""


def render_plain(node: Node) -> str:
    """Render a text without markup, and any other result as XML."""
    if isinstance(node, Code):
        return node.text.removesuffix("\n")
    return STEP_FORMS["xml"]()(node)


def _plain() -> Renderer:
    return render_plain


def _json() -> Renderer:
    from ...render.json import render_json

    return render_json


FORMS: Final[Forms] = {PLAIN: _plain, **STEP_FORMS, "json": _json}
"""Formats of commands; the first is the default."""


def run_table(home: str, argv: Sequence[str] | None, by_word: bool = False) -> int:
    """Do the work of `run.main`; without `argv`, for the arguments of this process."""
    words = begin(argv)

    def call() -> tuple[int, str]:
        table = load(home).as_word() if by_word else load(home)
        read = read_call(table, words, tuple(FORMS))
        status, printed = answer(table, read)
        return status, shown(printed, read.form)

    return run(home, words, FORMS, call)


def load(home: str) -> Table[Any]:
    """Return the TABLE of a module. Raises WorkflowError if it is missing."""
    found: object = getattr(importlib.import_module(home), "TABLE", None)
    if not isinstance(found, Table):
        raise WorkflowError(f"module {home}: TABLE is not a Table; write `TABLE = Table(…)`")
    return found


def answer(table: Table[Any], call: Call[Any]) -> tuple[int, Printed]:
    """Return the exit status and the output.

    Raises RefusedError, or UsageError for a request that is invalid in every state.
    """
    if call.request is None:
        from ...ast.batch import BatchStatus
        from .batch import run_batch

        result = run_batch(table, table.opens(**call.options), call.document, call.role)
        return (DONE if result.status is BatchStatus.DONE else REFUSED), result
    row, values = call.request
    permit(table, row, call.role)
    try:
        return DONE, row.run(table.opens(**call.options), values)
    except RequestError as error:
        raise UsageError(error.spelled(row, lambda argument: argument.spelled)) from None


def shown(printed: Node | str, form: str) -> str:
    """Render a command's output in a format. The script adds the final line break, so a text's own is removed."""
    if isinstance(printed, str):
        if form == PLAIN:
            return printed.removesuffix("\n")
        printed = Code(text=printed)
    return FORMS[form]()(printed)
