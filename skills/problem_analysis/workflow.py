"""Problem analysis: from a report to its cause, by rival hypotheses and evidence. Five steps; the third is a loop."""

from typing import Annotated, Final, Literal, TypeAlias

from lib.workflow.core import Arg, Outcome, State, StepContext, StepDef, Undecided, Workflow
from lib.workflow.prompts import with_prompts
from lib.workflow.types import Confidence

MAX_ROUNDS: Final = 5
MAX_LOOKS: Final = 4
"""Observations in one round; a round that may look for ever has no ledger to read."""
MIN_HYPOTHESES: Final = 3
MAX_HYPOTHESES: Final = 6
MAX_WORDS: Final = 350
"""Of the report."""
SETTLED: Final = frozenset({Confidence.HIGH, Confidence.CERTAIN})

Ending: TypeAlias = Literal[Outcome.OK, Outcome.FAIL]
Turn: TypeAlias = Literal[Outcome.OK, Outcome.ITERATE, Outcome.FAIL]
Level: TypeAlias = Annotated[
    Confidence, Arg(description="how far the evidence carries, by the tests of the third step")
]
Round: TypeAlias = Annotated[int, Arg(description="which round of the investigation this is", min=1, max=MAX_ROUNDS)]


def gate(context: StepContext) -> Undecided[Ending]:
    """The agent decides whether there is a problem to analyse; without one, the report says what is missing."""
    return Undecided({Outcome.OK: {}, Outcome.FAIL: {"confidence": Confidence.EXPLORING}})


def investigate(
    context: StepContext, confidence: Level | None = None, iteration: Round = 1
) -> tuple[Turn, State] | Undecided[Turn]:
    """A given confidence decides; else the agent does, by its ledger. There is no round after the last."""
    reached = confidence or Confidence.HIGH
    ways: dict[Turn, State] = {Outcome.OK: {"confidence": reached}}
    if iteration < MAX_ROUNDS:
        ways[Outcome.ITERATE] = {"iteration": iteration + 1}
    ways[Outcome.FAIL] = {"confidence": Confidence.MEDIUM if confidence is None else confidence}
    if confidence is None:
        return Undecided(ways)
    unsettled: Turn = Outcome.ITERATE if iteration < MAX_ROUNDS else Outcome.FAIL
    outcome: Turn = Outcome.OK if confidence in SETTLED else unsettled
    return outcome, ways[outcome]


def formulate(context: StepContext, confidence: Level = Confidence.HIGH) -> tuple[Literal[Outcome.OK], State]:
    """What was reached goes into the report."""
    return Outcome.OK, {"confidence": confidence}


def output(context: StepContext, confidence: Level = Confidence.HIGH) -> tuple[Literal[Outcome.OK], State]:
    """The end."""
    return Outcome.OK, {}


WORKFLOW = Workflow(
    "problem-analysis",
    *with_prompts(
        __file__,
        "prompts.md",
        StepDef(
            id="gate",
            handler=gate,
            next={Outcome.OK: "hypothesize", Outcome.FAIL: "output"},
            when={
                Outcome.OK: "PROBLEM names what is observed and what is expected instead",
                Outcome.FAIL: "one of the two is unknown and nothing within reach tells it",
            },
        ),
        StepDef(
            id="hypothesize",
            next={Outcome.OK: "investigate"},
            slots={"min_hypotheses": MIN_HYPOTHESES, "max_hypotheses": MAX_HYPOTHESES},
        ),
        StepDef(
            id="investigate",
            handler=investigate,
            next={Outcome.OK: "formulate", Outcome.ITERATE: "investigate", Outcome.FAIL: "formulate"},
            when={
                Outcome.OK: "the LEDGER is at high or certain",
                Outcome.ITERATE: "the LEDGER is below high and this round changed a row",
                Outcome.FAIL: "the LEDGER is below high and no round is left, or this one changed no row",
            },
            slots={"max_rounds": MAX_ROUNDS, "max_looks": MAX_LOOKS},
        ),
        StepDef(id="formulate", handler=formulate, next={Outcome.OK: "output"}),
        StepDef(id="output", handler=output, next={Outcome.OK: None}, slots={"max_words": MAX_WORDS}),
    ),
    module="skills.problem_analysis.analyze",
    description="Find the cause of a problem by rival hypotheses and evidence. It proposes no fix.",
)
