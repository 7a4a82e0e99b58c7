"""The loop of an investigation."""

import pytest

from lib.workflow.ast.nodes import Text
from lib.workflow.core import AgentChoice, Outcome, StepDef, UsageError, Workflow
from lib.workflow.handlers.loop import SETTLED, WHEN, rounds
from lib.workflow.types import Confidence

MOST = 3
LOOP = Workflow(
    "looking",
    StepDef(
        id="look",
        title="Look",
        actions=(Text("Look."),),
        handler=rounds(MOST),
        next={Outcome.OK: "tell", Outcome.ITERATE: "look"},
        when=WHEN,
    ),
    StepDef(id="tell", title="Tell", actions=(Text("Tell."),), next={Outcome.OK: None}),
    module="looking.run",
)


@pytest.mark.parametrize("confidence", Confidence)
@pytest.mark.parametrize("iteration", range(1, MOST + 1))
def test_a_given_confidence_decides_where_a_round_leads(confidence: Confidence, iteration: int) -> None:
    context = LOOP.context("look", {"confidence": confidence, "iteration": iteration})
    settled = confidence in SETTLED or iteration == MOST
    wanted = (Outcome.OK, {}) if settled else (Outcome.ITERATE, {"iteration": iteration + 1})
    assert LOOP.outcomes("look", context) == wanted


@pytest.mark.parametrize("iteration", range(1, MOST))
def test_the_agent_decides_otherwise(iteration: int) -> None:
    result = LOOP.outcomes("look", LOOP.context("look", {"iteration": iteration}))
    assert isinstance(result, AgentChoice)
    assert result.ways == {Outcome.OK: {}, Outcome.ITERATE: {"iteration": iteration + 1}}


def test_round_after_the_last_is_refused() -> None:
    assert LOOP.outcomes("look", LOOP.context("look", {"iteration": MOST})) == (Outcome.OK, {})
    with pytest.raises(UsageError, match="1 to 3"):
        LOOP.context("look", {"iteration": MOST + 1})
