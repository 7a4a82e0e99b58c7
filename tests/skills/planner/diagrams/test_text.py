"""Columns in a terminal."""

import sys

import pytest
from wcwidth import wcswidth

from skills.planner.diagrams.text import LONGEST, cells, columns, pieces, unmeasurable, wrapped


def test_columns_are_what_terminals_make_of_them() -> None:
    """Compare with wcwidth, an independent table, every character that is not refused."""
    sure = [chr(code) for code in range(32, sys.maxunicode) if unmeasurable("a" + chr(code)) is None]
    assert len(sure) > 100_000
    assert [char for char in sure if columns("a" + char) != wcswidth("a" + char)] == []


UNSURE = [
    "\t",
    "\u200b",
    "a\ufe0f",
    "\U0001f468\u200d\U0001f469",
    "\U0001f1e9\U0001f1ea",
    "\u05d0",
    "\u0301a",
    "\u1160",
    "\u3000",
]


@pytest.mark.parametrize("text", UNSURE)
def test_characters_of_ambiguous_width_are_found(text: str) -> None:
    assert unmeasurable(text) is not None


def test_a_cell_holds_a_character_with_its_marks_and_a_wide_one_two_cells() -> None:
    assert list(cells("e\u0301数x")) == ["e\u0301", "数", "", "x"]


def test_text_is_wrapped_between_words_by_columns() -> None:
    assert wrapped("数据 库存 a  b", 7) == ("数据", "库存 a", "b")
    assert wrapped("", 9) == ()


def test_word_longer_than_a_line_is_cut_without_a_blank() -> None:
    word = "x" * (LONGEST + 3)
    assert list(pieces(f"a {word} b")) == [("a", False), ("x" * LONGEST, False), ("xxx", True), ("b", False)]
    assert wrapped(word, 76) == (word,)
    assert wrapped(word, 10) == ("x" * LONGEST, "xxx")
