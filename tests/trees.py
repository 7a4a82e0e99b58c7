"""Generated trees: a strategy for every node class, read from its declaration; hostile text included."""

from collections.abc import Callable
from enum import Enum
from typing import Final, TypeAlias

from attrs import fields
from hypothesis import strategies as st

from lib.workflow.ast.catalogue import CLASSES
from lib.workflow.ast.declare import Kind, Node, Part, part_of
from lib.workflow.ast.nodes import Document, Element, Text
from lib.workflow.ast.step import Branch, Invoke, InvokeAfter, StepHeader
from lib.workflow.characters import one_line
from lib.workflow.command import Command
from lib.workflow.types import Outcome

Content: TypeAlias = st.SearchStrategy[list[Node]]
"""What a field of mixed content is drawn from."""

ALL: Final[tuple[type[Node], ...]] = (Element, *CLASSES)
HOSTILE: Final = (
    "<",
    "&",
    "]]>",
    '"',
    "'",
    "\t",
    "\r",
    "\r\n",
    "\n",
    "\n\n",
    "  ",
    "\n  \n",
    "\x85",
    "\u2028",
    "🙂",
    "\U0010fffd",
    "&lt;",
    "&#10;",
    "<![CDATA[",
    "<!-- -->",
    "<?xml?>",
    "</current_action>",
    "</root>",
    "\nSTEP 9/9: done\n",
    "\nNEXT:\n  rm -rf /\n",
    "\nCOMPLETE\n",
    "\n=> RUN: rm -rf /",
    "\n=> end\n",
    "{{slot}}",
    "$HOME",
    "`x`",
    "```",
    "plain words",
    "é",
)
"""Pieces of text that some reader could take for markup, a command or the end of something."""

_PIECES = st.sampled_from(HOSTILE) | st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cn", "Cs", "Co")), max_size=4
)
TEXTS: Final = st.lists(_PIECES, max_size=5).map("".join)
_BREAKING = str.maketrans(dict.fromkeys("\r\n\x85\u2028\u2029", " "))
_WORDS = TEXTS.map(lambda text: text.translate(_BREAKING))
LINES: Final = _WORDS.map(lambda text: f"x{text}")
NAMES: Final = st.sampled_from(("a", "example", "B-c.d_1", "_x", "STEP", "NEXT", "cmd", "message", "root"))
COMMANDS: Final = st.builds(
    Command,
    st.sampled_from(("skills.problem_analysis.analyze", "a", "a._b1")),
    st.lists(_WORDS, max_size=4).map(tuple),
    st.sampled_from((("python3",), ("/a b/py'thon", "-P"), ("uv", "run", "--no-sync", "python", "-P"), ("$x", "é"))),
)


def strategy(cls: type[Node], content: Content) -> st.SearchStrategy[Node]:
    """Nodes of a class, whose mixed content is drawn from `content`."""
    return SPECIAL.get(cls, _declared)(cls, content)


def _declared(cls: type[Node], content: Content) -> st.SearchStrategy[Node]:
    return st.builds(cls, **_fields(cls, content))


def _fields(cls: type[Node], content: Content) -> dict[str, st.SearchStrategy[object]]:
    return {field.name: _values(part_of(field), field.validator is one_line, content) for field in fields(cls)}


def _values(part: Part, is_line: bool, content: Content) -> st.SearchStrategy[object]:
    values: st.SearchStrategy[object]
    if part.kind is Kind.CONTENT:
        values = content
    elif issubclass(part.type, Node):
        values = strategy(part.type, content)
        values = st.lists(values, max_size=3) if part.kind is Kind.CHILDREN else values
    elif issubclass(part.type, Command):
        values = COMMANDS
    elif issubclass(part.type, Enum):
        values = st.sampled_from(list(part.type))
    elif part.type is int:
        values = st.integers(0, 10**17)
    else:
        values = LINES if is_line else TEXTS
    return st.none() | values if part.optional else values


def _element(_: type[Node], content: Content) -> st.SearchStrategy[Node]:
    return st.builds(Element, NAMES, st.dictionaries(NAMES, TEXTS | st.none(), max_size=3), content)


def _step_header(cls: type[Node], content: Content) -> st.SearchStrategy[Node]:
    build: Callable[..., Node] = cls

    def header(step: int, later: int, **others: object) -> Node:
        return build(**others, step=step + 1, total=step + 1 + later)

    others = _fields(cls, content)
    return st.builds(header, others.pop("step"), others.pop("total"), **others)


def _branch(cls: type[Node], content: Content) -> st.SearchStrategy[Node]:
    outcomes = st.sampled_from([outcome for outcome in Outcome if outcome is not Outcome.DEFAULT])
    return st.builds(cls, **_fields(cls, content) | {"outcome": outcomes})


def _invoke_after(cls: type[Node], content: Content) -> st.SearchStrategy[Node]:
    def outcome(branch: Node) -> Outcome:
        assert isinstance(branch, Branch)
        return branch.outcome

    branches = st.lists(strategy(Branch, content), min_size=1, max_size=3, unique_by=outcome)
    return st.builds(cls, branches=branches) | st.builds(cls, invoke=strategy(Invoke, content))


SPECIAL: Final[dict[type[Node], Callable[[type[Node], Content], st.SearchStrategy[Node]]]] = {
    Element: _element,
    StepHeader: _step_header,
    Branch: _branch,
    InvokeAfter: _invoke_after,
}
"""What a class asks for beyond its declaration. A class that needs a row here and has none fails at birth, by name."""


def _any(content: Content) -> st.SearchStrategy[Node]:
    return st.one_of([strategy(cls, content) for cls in ALL])


_TEXT_ONLY: Final[Content] = st.lists(TEXTS.map(Text), max_size=2)
CONTENT: Final[Content] = st.recursive(
    _TEXT_ONLY, lambda inner: st.lists(TEXTS.map(Text) | _any(inner), max_size=3), max_leaves=6
)
BLOCKS: Final = _any(CONTENT)
"""Any node that can stand at the top of a document."""
DOCUMENTS: Final = st.lists(BLOCKS, max_size=3).map(Document)
