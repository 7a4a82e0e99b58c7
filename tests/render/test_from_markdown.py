"""Markdown in a text as HTML, read back by a parser of HTML."""

import pytest
from lxml import html

from lib.workflow.render.html_parts.from_markdown import LONGEST, from_markdown

TABLE = "| a | b |\n|---|---|\n| 1 | `2` |"


def tags(text: str) -> list[str]:
    return [element.tag for element in html.fragment_fromstring(from_markdown(text), create_parent=True).iter()][1:]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a\n- b", ["div", "ul", "li", "li"]),
        (TABLE, ["div", "table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td", "code"]),
        ("```py\n# x\n```", ["div", "pre", "code"]),
        ("a\n\n    # b", ["div", "p", "pre", "code"]),
        ("run:\nx - <<'END'\n# a\n- b\nEND\n- c", ["div", "p", "pre", "code", "ul", "li"]),
        ("x - <<'END'\n# a\n- b", ["div", "p", "p", "ul", "li"]),
        ("# a", ["div", "p"]),
        ("**a** in __init__.py", ["div", "p", "strong"]),
        ("PASS\nWAY: 1", ["div", "p", "br"]),
        (f"{'long ' * 20}\nb", ["div", "p"]),
        ("[a](https://x.y)", ["div", "p", "a"]),
    ],
)
def test_markdown_becomes_elements(text: str, expected: list[str]) -> None:
    assert tags(text) == expected


@pytest.mark.parametrize(
    "target", ["javascript:x", "data:text/html,x", "file:///etc", "mailto:a@b", "//x.y", "#a", "x"]
)
def test_links_lead_to_the_web_only(target: str) -> None:
    assert "a" not in tags(f"[a]({target}) <{target}>")


@pytest.mark.parametrize(
    "text", ["<script>x</script>", "<img src=x>", "![a](https://x.y/z.png)", "<!-- x -->", "&lt;script&gt;", "<b>x</b>"]
)
def test_raw_html_and_images_stay_text(text: str) -> None:
    assert set(tags(text)) <= {"div", "p", "a"}


@pytest.mark.parametrize(
    "text", ["| a |\n|---|\n| 1 | lost |", "[a](https://x.y 'title')", f"{'> ' * 30}deep", "- a\n" * LONGEST]
)
def test_text_that_would_lose_letters_or_is_too_long_is_shown_as_it_is(text: str) -> None:
    assert tags(text) == ["p"]
    assert html.fragment_fromstring(from_markdown(text)).text == text


@pytest.mark.parametrize("columns", [10, 100, 1_000])
def test_short_text_does_not_become_a_large_table(columns: int) -> None:
    head = f"{'|a' * columns}|\n{'|-' * columns}|\n"
    text = head + "|a\n" * ((LONGEST - len(head)) // 3)
    assert len(tags(text)) < LONGEST


@pytest.mark.parametrize(
    "piece",
    ["[", "*a ", "`a``b", "![", "[a](", "> ", "- ", "\\", "a**b", "~~~\n", "- - - a\n", "[[a](b)](", "*a*", "x <<E\n"],
)
def test_repeated_marks_give_no_more_elements_than_letters(piece: str) -> None:
    assert len(tags((piece * LONGEST)[:LONGEST])) < LONGEST
