"""Decision critic: from a decision to a verdict on it. Seven steps; strangers answer the questions that test it."""

from typing import Annotated, Final, Literal, TypeAlias

from lib.workflow.core import (
    AgentChoice,
    Arg,
    Outcome,
    Roster,
    Script,
    StepContext,
    StepDef,
    Task,
    Workflow,
    with_prompts,
)
from lib.workflow.types import AgentRole

MAX_DECISION: Final = 300
"""Characters: one line travels in every command; a longer record travels as the name of its file."""
MAX_STATEMENTS: Final = 20
MAX_QUESTIONS: Final = 8
"""One agent each."""
MAX_QUESTION: Final = 500
"""Characters."""
MAX_AT_A_TIME: Final = 4
MAX_ARGUMENTS: Final = 5
MAX_LOOKS: Final = 3
"""At a step that argues."""
MAX_WORDS: Final = 350
"""Of the report."""

Decision: TypeAlias = Annotated[
    str,
    Arg(
        description="the decision in one line, or the absolute path of the file that records it",
        longest=MAX_DECISION,
        samples=("Keep jobs in a table of the database instead of a message broker",),
    ),
]

ANSWERS: Final = Roster(
    agent=AgentRole.GENERAL_PURPOSE,
    script=Script(module="skills.decision_critic.subagent"),
    most=MAX_QUESTIONS,
    at_most=MAX_AT_A_TIME,
    characters=MAX_QUESTION,
    returns="ANSWER, EVIDENCE, KIND and LIMITS, one line each; KIND is observed, inferred, said or unknown",
    sample=(
        Task("Q1", "How many rows does /srv/shop/metrics/jobs.csv hold for its busiest second of May 2025?"),
        Task(
            "Q2",
            "Which statements of /srv/shop/app/jobs.py run in the transaction that writes a row to `jobs`?\n"
            "Give each with its line, in the order in which they run.",
        ),
    ),
)


def extract(context: StepContext, decision: Decision) -> AgentChoice[Literal[Outcome.OK, Outcome.FAIL]]:
    """The agent decides whether there is a decision at all; without one, the verdict says what is missing."""
    return AgentChoice({Outcome.OK: {}, Outcome.FAIL: {}})


WORKFLOW = Workflow(
    "decision-critic",
    *with_prompts(
        __file__,
        "prompts.md",
        StepDef(
            id="extract",
            handler=extract,
            next={Outcome.OK: "classify", Outcome.FAIL: "verdict"},
            when={
                Outcome.OK: "DECISION names what is chosen, and over what",
                Outcome.FAIL: "DECISION is none",
            },
            slots={"max_statements": MAX_STATEMENTS},
        ),
        StepDef(
            id="classify",
            next={Outcome.OK: "questions", Outcome.SKIP: "contrary"},
            when={
                Outcome.OK: "a row of CHECKS is marked verify",
                Outcome.SKIP: "no row of CHECKS is marked verify",
            },
            slots={"max_questions": MAX_QUESTIONS},
        ),
        StepDef(
            id="questions",
            next={Outcome.OK: "answer", Outcome.SKIP: "contrary"},
            when={Outcome.OK: "the list has an entry", Outcome.SKIP: "no row could be asked about"},
        ),
        StepDef(id="answer", handler=ANSWERS, next={Outcome.OK: "contrary"}),
        StepDef(
            id="contrary",
            next={Outcome.OK: "reframe"},
            slots={"max_arguments": MAX_ARGUMENTS, "max_looks": MAX_LOOKS},
        ),
        StepDef(id="reframe", next={Outcome.OK: "verdict"}, slots={"max_looks": MAX_LOOKS}),
        StepDef(id="verdict", next={Outcome.OK: None}, slots={"max_words": MAX_WORDS}),
    ),
    module="skills.decision_critic.decision_critic",
    description="Test a decision before it is acted on: stand, revise or escalate, with reasons.",
    params=("decision",),
)
