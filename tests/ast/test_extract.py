"""One block out of prose."""

import time

import pytest

from lib.workflow.ast.dispatch import SubagentDispatchNode
from lib.workflow.ast.nodes import Document, Element
from lib.workflow.ast.parse import Limits, ParseError
from lib.workflow.ast.parse.extract import MAX_OPENINGS, extract
from lib.workflow.ast.results import Refusal
from lib.workflow.ast.step import Branch, Complete, CurrentAction, GateResult
from lib.workflow.render.xml import render
from lib.workflow.types import GateStatus, Outcome
from tests.wording import carries

PASS = GateResult(GateStatus.PASS)
BLOCK = '<gate_result status="pass"/>'


@pytest.mark.parametrize(
    "text",
    [
        BLOCK,
        f"Here it is & was:\n{BLOCK}\nif a < b",
        f"The `<gate_result>` block:\n\n  {BLOCK} <- there",
        f"é🙂 <gate_result ...> is what I send {BLOCK}",
        f"<gate_results/> and <gate_result-x/> are others {BLOCK}",
        f"<other>{BLOCK}</other>",
        "so <gate_result status='pass'><!-- > --></gate_result> it is",
    ],
)
def test_block_is_found_in_any_surrounding_text(text: str) -> None:
    assert extract(text, GateResult) == PASS


def test_a_block_is_found_across_the_pieces_in_which_it_is_read() -> None:
    long = Refusal(code="c", target="t", message="<é>" * 60_000, fix="f")
    assert extract(f"x {render(long)} & y", Refusal) == long


def test_text_without_a_block_extracts_nothing() -> None:
    assert extract("no `<gate_result>` here, nor <gate_result status=", GateResult) is None
    assert extract("", GateResult) is None
    assert extract(BLOCK, Complete) is None


@pytest.mark.parametrize(
    "text",
    [
        render(Document([Refusal(code="c", target="t", message=f"it said {BLOCK}", fix="f")])),
        render(Document([CurrentAction(f"reply with {BLOCK} & no more")])),
        f"I would print `{BLOCK}` but it fails",
        f"<!-- {BLOCK} -->",
        f"<other><![CDATA[{BLOCK}]]></other>",
    ],
)
def test_quoted_block_is_not_extracted(text: str) -> None:
    assert extract(text, GateResult) is None


def test_a_block_is_found_by_the_short_forms_of_its_tag() -> None:
    text = "then <if_fail when='w'><invoke cmd='p -m a'/></if_fail>"
    branch = extract(text, Branch)
    assert branch is not None
    assert branch.outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{BLOCK}\n {BLOCK}", "2:2: … <gate_result>"),
        ("ab\n cd <gate_result status='x'/>", "2:5: gate_result: status='x': … fail, pass"),
        ("ab\n\n <refusal\n code='a'>\n & </refusal>", "5:3: refusal:"),
        ("a\n<gate_result", "2:13:"),
    ],
)
def test_a_block_that_cannot_be_used_is_an_error_with_its_place_in_the_text(text: str, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        extract(text, Refusal if "refusal" in text else GateResult)
    assert carries(str(caught.value), message)


@pytest.mark.parametrize(
    "text",
    [
        "x <refusal> " * (MAX_OPENINGS + 1),
        "<refusal>" * 3000,
        "x <subagent_dispatch> " * 3000,
        ("x <refusal> " + "y" * 100_000) * 300,
        "x <refusal> < " * 65 + "🙂" * 4_000_000,
    ],
)
def test_false_openings_do_not_cost_seconds(text: str) -> None:
    begun = time.process_time()
    with pytest.raises(ParseError):
        extract(text, SubagentDispatchNode if "dispatch" in text else Refusal)
    assert time.process_time() - begun < 5


def test_block_may_hold_a_nested_block_and_a_sign_in_an_attribute() -> None:
    inner = CurrentAction([Element("x", {"y": ">"}), CurrentAction("z")])
    text = f"so be it: {render(inner)} and `<current_action>`"
    assert extract(text, CurrentAction) == inner
    assert extract("a <gate_result status='pass'><!-- > --></gate_result> b", GateResult) == PASS


def test_a_class_that_the_parser_does_not_know_is_an_error() -> None:
    class Foreign(Complete):
        __slots__ = ()
        tag = "foreign"

    with pytest.raises(ParseError, match="expected Foreign, got Element"):
        extract("<foreign/>", Foreign)


def test_the_limits_hold_for_a_block_too() -> None:
    with pytest.raises(ParseError):
        extract(f"<refusal code='{'x' * 100}'/>", Refusal, Limits(size=50))
