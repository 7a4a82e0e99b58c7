"""The composition root of a table's script: one request or a batch in, one result out, and its exit status."""

import importlib
from collections.abc import Sequence
from typing import Any

from ..errors import UsageError, WorkflowError
from ..output import DONE, REFUSED
from ..script import begin, run
from .forms import FORMS, shown
from .line import Call, read_call
from .requests import RequestError, permit
from .rows import Printed, Table


def run_table(home: str, argv: Sequence[str] | None) -> int:
    """What `run.main` does; without `argv`, for the words of this process."""
    words = begin(argv)

    def call() -> tuple[int, str]:
        table = load(home)
        read = read_call(table, words, tuple(FORMS))
        status, node = answer(table, read)
        return status, shown(node, read.form)

    return run(home, words, FORMS, call)


def load(home: str) -> Table[Any]:
    """The TABLE of a module. Raises WorkflowError where there is none."""
    found: object = getattr(importlib.import_module(home), "TABLE", None)
    if not isinstance(found, Table):
        raise WorkflowError(f"module {home}: TABLE is no Table; write `TABLE = Table(…)`")
    return found


def answer(table: Table[Any], call: Call[Any]) -> tuple[int, Printed]:
    """The exit status and what is printed. Raises RefusedError, and UsageError for what is wrong in itself."""
    if call.request is None:
        from ..ast.batch import BatchStatus
        from .batch import run_batch

        result = run_batch(table, table.opens(**call.options), call.document, call.role)
        return (DONE if result.status is BatchStatus.DONE else REFUSED), result
    row, values = call.request
    permit(table, row, call.role)
    try:
        return DONE, row.run(table.opens(**call.options), values)
    except RequestError as error:
        raise UsageError(error.spelled(row, lambda argument: argument.spelled)) from None
