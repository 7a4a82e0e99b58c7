"""Guidance, the question relay and results: their output and their refusals."""

from collections.abc import Callable

import pytest

from lib.workflow.ast import guidance
from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Document, Element, Text
from lib.workflow.ast.parse import ParseError, parse
from lib.workflow.ast.relay import Answer, NeedsUserInput, Option, Question, UserResponse
from lib.workflow.ast.results import EntityResult, Operation, VersionMismatchError
from lib.workflow.ast.step import CurrentAction
from lib.workflow.ast.visitor import walk
from lib.workflow.render.xml import render
from lib.workflow.types import MAX_HEADER
from tests.wording import elided


def question(header: str = "Auth", *labels: str, text: str = "Which?") -> Question:
    options = tuple(Option(label=label) for label in labels or ("one", "two"))
    return Question(header=header, text=text, options=options)


SPECIFIED = {
    "a version mismatch": (
        VersionMismatchError(
            entity_id="CI-M-001-001", provided_version=1, current_version=2, current_entity='{"id": 1}', action="Retry"
        ),
        """\
<version_mismatch_error entity_id="CI-M-001-001" provided_version="1" current_version="2">
  <current_entity>{"id": 1}</current_entity>
  <action>Retry</action>
</version_mismatch_error>""",
    ),
    "an entity result is one line": (
        EntityResult(id="CI-M-001-001", version=2, operation=Operation.UPDATED),
        '<entity_result id="CI-M-001-001" version="2" operation="updated"/>',
    ),
    "answers (002)": (
        UserResponse((Answer(header="Auth", text="JWT with refresh tokens"), Answer(header="Scope", text="No"))),
        """\
<user_response>
  <answer header="Auth">JWT with refresh tokens</answer>
  <answer header="Scope">No</answer>
</user_response>""",
    ),
    "questions": (
        NeedsUserInput((question(),)),
        """\
<needs_user_input>
  <question header="Auth">
    <text>Which?</text>
    <option label="one"/>
    <option label="two"/>
  </question>
</needs_user_input>""",
    ),
    "bullets": (
        guidance.Forbidden(("one", "two & more", "three\n\n- lines", "")),
        "<forbidden>\n  - one\n  <![CDATA[- two & more]]>\n  - three\n\n    - lines\n  - \n</forbidden>",
    ),
    "no bullets": (guidance.Forbidden(()), "<forbidden/>"),
    "a banner": (
        guidance.StateBanner(checkpoint="c", iteration=2, mode="m"),
        '<state_banner checkpoint="c" iteration="2" mode="m"/>',
    ),
}


@pytest.mark.parametrize("name", SPECIFIED)
def test_a_node_prints_as_specified_and_reads_back(name: str) -> None:
    node, text = SPECIFIED[name]
    assert render(node) == text
    assert parse(text) == Document([node])


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("<forbidden>- a\n- b</forbidden>", ("a", "b")),
        ("<forbidden>\n- a\n  more\n- b\n</forbidden>", ("a\nmore", "b")),
        ("<forbidden>\n      - a\n      - b\n    </forbidden>", ("a", "b")),
        ("<forbidden> </forbidden>", ()),
    ],
)
def test_a_list_is_read_however_it_is_indented(text: str, items: tuple[str, ...]) -> None:
    assert parse(text) == Document([guidance.Forbidden(items)])


def test_text_that_is_not_a_list_is_refused() -> None:
    with pytest.raises(ParseError, match=elided("1:1: forbidden: 'Never.' … '- '")):
        parse("<forbidden>Never.</forbidden>")


@pytest.mark.parametrize(
    ("build", "says"),
    [
        (lambda: NeedsUserInput(()), "questions: 0 … 1 to 3"),
        (lambda: NeedsUserInput(tuple(question(str(n)) for n in range(4))), "questions: 4 … 1 to 3"),
        (lambda: NeedsUserInput((question(), question())), "'Auth'"),
        (lambda: question("x" * (MAX_HEADER + 1)), "Question.header: … 12"),
        (lambda: question("Auth", "one"), "options: 1 … 2 or 3"),
        (lambda: question("Auth", "a", "b", "c", "d"), "options: 4 … 2 or 3"),
        (lambda: question("Auth", "a", "a"), "'Auth': … 'a'"),
        (lambda: question(text=" "), "'Auth':"),
        (lambda: UserResponse(()), "UserResponse:"),
        (lambda: UserResponse((Answer(header="a", text="b"),) * 2), "UserResponse: … 'a'"),
        (lambda: guidance.StateBanner(checkpoint="c", iteration=0, mode="m"), "StateBanner.iteration: 0 … 1"),
    ],
)
def test_limit_is_checked_when_the_node_is_built(build: Callable[[], Node], says: str) -> None:
    with pytest.raises(ValueError, match=elided(says)):
        build()


def test_part_of_another_node_is_refused_elsewhere() -> None:
    for build in (lambda: CurrentAction([question()]), lambda: Document([Option(label="x")])):
        with pytest.raises(TypeError, match="expected"):
            build()
    assert Element("option", {}, "a tag that is free elsewhere").tag == "option"


def test_positions_are_those_of_the_very_nodes() -> None:
    marked = parse("<a>\n  <b/>\n <b/>\n</a>\n<forbidden/>", marks=True)
    places = [marked.marks.of(node) for node in walk(marked.document) if not isinstance(node, (Document, Text))]
    assert [(mark.line, mark.column) for mark in places] == [(1, 1), (2, 3), (3, 2), (5, 1)]
    with pytest.raises(KeyError):
        marked.marks.of(Element("b"))
