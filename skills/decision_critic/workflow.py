"""Decision critic: from a decision to a verdict. Seven steps; independent agents answer the questions that test it."""

from collections.abc import Callable
from enum import StrEnum
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
"""Most characters of the line; a longer decision is given as the path of its file."""
MAX_STATEMENTS: Final = 20
MAX_QUESTIONS: Final = 8
"""Most rows that are asked about."""
MAX_AGENTS: Final = 4
MAX_ASKED: Final = 3
"""Most rows that the user is asked about."""
MAX_ENTRY: Final = 1_200
"""Most characters of an agent's questions."""
MAX_ARGUMENTS: Final = 5
MAX_LOOKS: Final = 3
"""Most checks in a step that argues."""
MAX_WORDS: Final = 350
"""Most words of the report."""

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
    most=MAX_AGENTS,
    characters=MAX_ENTRY,
    returns="a row for each question",
    sample=(
        Task(
            "E1",
            "Q1: How many rows does /srv/shop/metrics/jobs.csv hold for its busiest second of May 2025?\n"
            "Q2: Which month of the file has the most rows?",
        ),
        Task("E2", "Q3: Which statements of /srv/shop/app/jobs.py run in the transaction that writes to `jobs`?"),
    ),
)


class Depth(StrEnum):
    """The thoroughness of the test."""

    FULL = "full"
    SHORT = "short"
    """Structure, contrary, verdict: for a decision whose facts nobody here can look up."""


PAGES: Final = ("extract", "contrary", "verdict")
"""The steps of a short test."""
ASK: Final = f"""\
4. Add a last column: `holds` or `fails` with the place if you can look it up, otherwise `open`. Ask the user in one
   message about the {MAX_ASKED} open rows that matter most, with what each answer changes. If you get none, go on."""
"""The extra instruction of the first step if no step for it follows."""

Chosen: TypeAlias = Annotated[Depth, Arg(description="short leaves out questions, agents and frames")]


def extract(
    context: StepContext, decision: Decision, depth: Chosen = Depth.FULL
) -> AgentChoice[Literal[Outcome.OK, Outcome.SKIP, Outcome.FAIL]]:
    """Let the agent decide if there is a decision at all; without one, the verdict says what is missing."""
    if depth is Depth.SHORT:
        return AgentChoice({Outcome.SKIP: {}, Outcome.FAIL: {}})
    return AgentChoice({Outcome.OK: {}, Outcome.FAIL: {}})


def contrary(
    context: StepContext, depth: Chosen = Depth.FULL
) -> tuple[Literal[Outcome.OK, Outcome.SKIP], dict[str, str]]:
    """Lead to other frames in full depth only."""
    return (Outcome.SKIP if depth is Depth.SHORT else Outcome.OK), {}


SETTLED: Final = """\
A row is settled if it `holds`, `fails` or is `given`. Its sign settles a `trial`, and the user's answer an `ask` or
`value` row. Rows of a lost block are open. """
"""The meaning of the condition that full depth adds to the verdicts."""


def at(depth: Depth, text: str) -> Callable[[StepContext], str]:
    """Return a slot that holds the text at this depth only."""
    return lambda context: text if context.workflow_params["depth"] is depth else ""


def short_pages(context: StepContext) -> str:
    """Return which steps a short test has, because the header counts those of a full one."""
    if context.workflow_params["depth"] is not Depth.SHORT:
        return ""
    numbers = " and ".join(str(WORKFLOW.number(step)) for step in PAGES[1:])
    return f"A short test has {len(PAGES)} pages: this step, and steps {numbers} of {WORKFLOW.total_steps}."


CHOSEN: Final = "DECISION names what is chosen, and over what"

WORKFLOW = Workflow(
    "decision-critic",
    *with_prompts(
        __file__,
        "prompts.md",
        StepDef(
            id="extract",
            handler=extract,
            next={Outcome.OK: "classify", Outcome.SKIP: "contrary", Outcome.FAIL: "verdict"},
            when={Outcome.OK: CHOSEN, Outcome.SKIP: CHOSEN, Outcome.FAIL: "DECISION is none"},
            slots={
                "pages": short_pages,
                "max_statements": MAX_STATEMENTS,
                "ask": at(Depth.SHORT, ASK),
                "seen": at(Depth.SHORT, " | holds, jobs.csv:881"),
                "unseen": at(Depth.SHORT, " | open"),
            },
        ),
        StepDef(
            id="classify",
            next={Outcome.OK: "questions", Outcome.SKIP: "contrary"},
            when={
                Outcome.OK: "a row of CHECKS is marked verify",
                Outcome.SKIP: "no row of CHECKS is marked verify",
            },
            slots={"max_questions": MAX_QUESTIONS, "max_asked": MAX_ASKED},
        ),
        StepDef(
            id="questions",
            next={Outcome.OK: "answer", Outcome.SKIP: "contrary"},
            when={Outcome.OK: "the list has an entry", Outcome.SKIP: "no row could be asked about"},
        ),
        StepDef(id="answer", handler=ANSWERS, next={Outcome.OK: "contrary"}),
        StepDef(
            id="contrary",
            handler=contrary,
            next={Outcome.OK: "reframe", Outcome.SKIP: "verdict"},
            slots={"max_arguments": MAX_ARGUMENTS, "max_looks": MAX_LOOKS},
        ),
        StepDef(id="reframe", next={Outcome.OK: "verdict"}, slots={"max_looks": MAX_LOOKS}),
        StepDef(
            id="verdict",
            next={Outcome.OK: None},
            slots={
                "max_words": MAX_WORDS,
                "settled": at(Depth.FULL, SETTLED),
                "changes": at(Depth.FULL, " or a row of `FRAMES` `changes`"),
                "unsettled": at(Depth.FULL, "a `carries` row is not settled; an argument is `open`; "),
            },
        ),
    ),
    module="skills.decision_critic.decision_critic",
    description="Test a decision before it is acted on: stand, revise or escalate, with reasons.",
    params=("depth",),
)
