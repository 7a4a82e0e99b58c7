"""The table of the string functions is complete."""

import re

from lib.workflow.ast.catalogue import CLASSES
from lib.workflow.ast.nodes import Document
from lib.workflow.formatters import text, xml
from tests.documents import read

ROWS = re.findall(r"^\| (`format_.*?) \| (.*) \|$", read("docs/from-strings.md"), re.MULTILINE)


def test_every_string_function_has_a_row_and_every_row_names_existing_ones() -> None:
    functions = {name for module in (xml, text) for name in vars(module) if name.startswith("format_")}
    named = [name for row, _ in ROWS for name in re.findall(r"`(\w+)`", row)]
    assert sorted(named) == sorted(functions)
    classes = {cls.__name__ for cls in (*CLASSES, Document)} | {"Dispatch"}
    for _, instead in ROWS:
        assert set(re.findall(r"`([A-Z][A-Za-z]+)`", instead)) <= classes
        assert "`" in instead
