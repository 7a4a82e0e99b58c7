"""Repetition of text that an agent has seen before, and sums of texts."""

import pytest

from lib.workflow.testing.costs import SHORTEST, Context, Cost, Shown, TextKind, by_kind, by_role, by_step, cost_of
from lib.workflow.types import AgentRole

LINE = "a line that is long enough to count"
OTHER = "another line that is long enough"
ARCHITECT, ORCHESTRATOR = AgentRole.ARCHITECT, AgentRole.ORCHESTRATOR


@pytest.mark.parametrize(
    ("before", "text", "repeated"),
    [
        ((), LINE, 0),
        ((LINE,), LINE, len(LINE)),
        ((LINE,), f"    {LINE}  ", len(LINE)),
        ((LINE,), f"{LINE}!", 0),
        ((f"{OTHER}\n{LINE}",), f"new\n{LINE}\n{OTHER}", len(LINE) + len(OTHER)),
        ((), f"{LINE}\n{LINE}", 0),
        ((LINE,), f"{LINE}\n{LINE}", 2 * len(LINE)),
        ((LINE, OTHER), LINE, len(LINE)),
        (("x" * (SHORTEST - 1),), "x" * (SHORTEST - 1), 0),
        (("x" * SHORTEST,), "x" * SHORTEST, SHORTEST),
    ],
)
def test_a_long_line_of_an_earlier_text_is_repeated(before: tuple[str, ...], text: str, repeated: int) -> None:
    context = Context()
    for each in before:
        context.add(each)
    assert context.add(text) == repeated


SHOWN = (
    Shown(agent=0, role=ORCHESTRATOR, kind=TextKind.PAGE, name="a", step=1, title="Go", characters=100),
    Shown(agent=1, role=ARCHITECT, kind=TextKind.PROMPT, characters=7),
    Shown(agent=1, role=ARCHITECT, kind=TextKind.PAGE, name="b", step=1, title="Do", characters=300),
    Shown(agent=1, role=ARCHITECT, kind=TextKind.REPLY, name="plan get", characters=200, repeated=50),
    Shown(agent=0, role=ORCHESTRATOR, kind=TextKind.PAGE, name="a", step=2, title="End", characters=40, repeated=10),
)


def test_prompts_count_apart_from_what_commands_print() -> None:
    assert cost_of(SHOWN) == Cost(
        agents=1, commands=4, pages=3, characters=640, repeated=60, prompts=7, largest_page=300
    )
    assert cost_of(SHOWN).percent == pytest.approx(9.375)
    assert cost_of(()).percent == 0


def test_costs_are_grouped_the_highest_first_and_steps_in_their_order() -> None:
    assert [(name, cost.characters) for name, cost in by_role(SHOWN).items()] == [
        ("architect", 500),
        ("orchestrator", 140),
    ]
    assert [(name, cost.characters) for name, cost in by_kind(SHOWN).items()] == [
        ("b", 300),
        ("plan get", 200),
        ("a", 140),
    ]
    assert [(name, cost.characters) for name, cost in by_step(SHOWN).items()] == [("a 1: Go", 600), ("a 2: End", 40)]
