"""Text as Markdown that shows it unchanged, read back by a parser of Markdown."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from lib.workflow.render.literal import in_line, literal

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
MARKS = [
    *(
        "#",
        "## ",
        ">",
        "- ",
        "+ ",
        "* ",
        "1. ",
        "2) ",
        "---",
        "===",
        "***",
        "___",
        "```",
        "~~~",
        "    ",
        "\t",
        "\n",
        "\n\n",
    ),
    *(
        "|",
        "|-|",
        "a|b",
        ":-",
        "*",
        "**",
        "_",
        "__",
        "~~",
        "`",
        "``",
        "[",
        "](",
        "](x)",
        "]: ",
        "![",
        "[ ] ",
        "[x]",
        "[^1]: ",
    ),
    *(
        "<",
        "<b>",
        "</",
        "<!--",
        "<http://x>",
        "&",
        "&amp;",
        "&#35;",
        "\\",
        "\\\\",
        "a",
        "b c",
        " ",
        "é",
        "\u2028",
        "x_y",
        "http://a.b",
    ),
]
TEXTS = st.lists(st.sampled_from(MARKS), max_size=12).map("".join)
QUIET = {"text", "text_special", "code_inline", "softbreak", "hardbreak"}


def shown(tokens: list[Token]) -> str:
    """Return the text that a reader sees."""
    children = [child for token in tokens for child in token.children or ()]
    return " ".join(
        [
            *(token.content for token in tokens if token.type == "fence"),
            "".join(child.content or " " for child in children),
        ]
    )


def letters(text: str) -> str:
    """Return the text without blanks, and without backticks, which code spans use themselves."""
    return re.sub(r"[\s`]", "", text)


@example("[```\\[^1]: ```")
@example("[a\n`]: x`")
@given(TEXTS)
def test_text_becomes_only_paragraphs_or_one_fence_and_is_shown_in_full(text: str) -> None:
    tokens = PARSER.parse(literal(text))
    blocks = {token.type for token in tokens}
    assert blocks <= {"paragraph_open", "inline", "paragraph_close"} or [token.type for token in tokens] == ["fence"]
    assert {child.type for token in tokens for child in token.children or ()} <= QUIET
    assert letters(shown(tokens)) == letters(text)


@given(TEXTS, st.sampled_from(["# {}", "- {}", "- **a:** {}", "1. {}"]))
def test_one_line_stays_one_line_in_a_heading_and_in_a_list(text: str, place: str) -> None:
    tokens = PARSER.parse(place.format(in_line(text)))
    expected = PARSER.parse(place.format("x"))
    if text.strip():
        assert [token.type for token in tokens] == [token.type for token in expected]
        assert letters(shown(tokens)) == letters(shown(expected).replace("x", "") + text)


ROWS = [
    ("a_b calls f(x) -> y, 3 * 4 < 5 & more", "a_b calls f(x) -> y, 3 * 4 < 5 & more"),
    ("calls `f(*args)` in [scope]", "calls `f(*args)` in [scope]"),
    ("*x* _y_ **z**", r"\*x\* \_y\_ \*\*z\*\*"),
    ("[a](b)", r"[a]\(b)"),
    ("# a\n2. b\n> c", "\\# a\\\n2\\. b\\\n\\> c"),
    ("a\n\n\n\nb", "a\n\nb"),
    ("a\n  b", "```text\na\n  b\n```"),
]


@pytest.mark.parametrize(("text", "markdown"), ROWS)
def test_ordinary_text_is_not_escaped(text: str, markdown: str) -> None:
    assert literal(text) == markdown
