"""Files that a command line names."""

import pytest

from lib.workflow.cli.table.command_line.sources import items_of
from lib.workflow.render.writer import bullet

LISTS: dict[str, list[str]] = {
    "a\nb\n": ["a", "b"],
    "- a\n- b": ["a", "b"],
    "- a\n  more\n\n  still\n\n- b": ["a\nmore\n\nstill", "b"],
    "a\n  more": ["a\nmore"],
    "\n\n a\r\nb\r\n": [" a", "b"],
    "- - a": ["- a"],
    "": [],
    " \n": [],
}


@pytest.mark.parametrize("text", LISTS)
def test_a_file_has_an_item_a_line_and_further_lines_below_it(text: str) -> None:
    assert list(items_of(text)) == LISTS[text]


HOSTILE = ["a", "- a\n- b", "# a\n\n## b", "a\n  b\n c", "a\n\n\n  - b"]


def test_items_read_back_as_they_are_printed() -> None:
    assert list(items_of("\n".join(map(bullet, HOSTILE)))) == HOSTILE
