"""Deep thinking: from an open question to an answer with its grounds. Fourteen steps; quick mode leaves out six."""

from enum import StrEnum
from typing import Annotated, Final, Literal, TypeAlias

from lib.workflow.core import (
    AgentChoice,
    Arg,
    Outcome,
    Roster,
    Script,
    State,
    StepContext,
    StepDef,
    Task,
    Workflow,
    with_prompts,
)
from lib.workflow.handlers.loop import WHEN, rounds
from lib.workflow.types import AgentRole, Tier

from . import limits


class Mode(StrEnum):
    """How far a question is taken."""

    FULL = "full"
    """Several agents follow lines of inquiry of their own."""
    QUICK = "quick"
    """One agent answers all parts itself."""


Chosen: TypeAlias = Annotated[Mode, Arg(description="with other agents, or without; left out, step 3 tells")]

QUESTION: Final = (
    "A shop of three developers sells in eleven currencies. How should it hold its prices, so that an invoice of last\n"
    "year still adds up? Given: rates change daily; /srv/shop/src/prices.py multiplies when a page is shown."
)
LINES: Final = Roster(
    agent=AgentRole.GENERAL_PURPOSE,
    tier=Tier.STRONG,
    script=Script(module="skills.deepthink.subagent"),
    least=limits.MIN_LINES,
    most=limits.MAX_LINES,
    at_most=limits.MAX_AT_A_TIME,
    characters=limits.MAX_TASK,
    returns="a REPLY block in the form of the last step, and nothing around it",
    sample=(
        Task("V1", f"{QUESTION}\nYour line: what the code and its data hold today, and what each way would change."),
        Task("V2", f"{QUESTION}\nYour line: what bookkeeping and tax demand of an amount that has been invoiced."),
    ),
)


def begin(context: StepContext, mode: Chosen | None = None) -> AgentChoice[Literal[Outcome.OK, Outcome.FAIL]]:
    """The agent decides whether there is a question; without one, the answer says what is missing."""
    return AgentChoice({Outcome.OK: {"mode": mode}, Outcome.FAIL: {}})


def carry(context: StepContext, mode: Chosen | None = None) -> tuple[Literal[Outcome.OK], State]:
    """A mode that was given is carried to the step that would choose one."""
    return Outcome.OK, {"mode": mode}


def characterize(
    context: StepContext, mode: Chosen | None = None
) -> tuple[Literal[Outcome.OK], State] | AgentChoice[Literal[Outcome.OK]]:
    """The agent chooses the mode by its table, unless it is given."""
    if mode is not None:
        return Outcome.OK, {"mode": mode}
    return AgentChoice({Outcome.OK: tuple({"mode": each} for each in Mode)})


def chosen(context: StepContext, mode: Chosen) -> tuple[Literal[Outcome.OK], State]:
    """From step 3 on there is a mode."""
    return Outcome.OK, {"mode": mode}


def plan(context: StepContext, mode: Chosen) -> tuple[Literal[Outcome.OK, Outcome.SKIP], State]:
    """In quick mode nobody else is asked: the next step is the synthesis."""
    return (Outcome.OK, {}) if mode is Mode.FULL else (Outcome.SKIP, {"mode": mode})


def gate(context: StepContext) -> AgentChoice[Literal[Outcome.OK, Outcome.FAIL]]:
    """The agent counts what it kept; with too little, it answers the parts itself."""
    return AgentChoice({Outcome.OK: {}, Outcome.FAIL: {"mode": Mode.QUICK}})


def aggregate(context: StepContext) -> tuple[Literal[Outcome.OK], State]:
    """Only full mode comes here."""
    return Outcome.OK, {"mode": Mode.FULL}


def synthesis(context: StepContext, mode: Chosen) -> tuple[Literal[Outcome.OK], State]:
    """The mode tells the step what it stands on; from here on it no longer matters."""
    return Outcome.OK, {}


def given(context: StepContext) -> str:
    """The mode that was given with the command."""
    return str(context.step_state["mode"] or "none")


def evidence(context: StepContext) -> str:
    """What the answer stands on in the run's mode."""
    if context.step_state["mode"] == Mode.FULL:
        return "`AGGREGATE` is the evidence, and its hinges are the first looks."
    return (
        "First answer the parts of `PLAN`, in their order and by the means they name, each a row `P…` above the\n"
        "claims (`P1 | answer | place | kind`); a reply that a gate kept is one ground among others."
    )


WORKFLOW = Workflow(
    "deepthink",
    *with_prompts(
        __file__,
        "prompts.md",
        StepDef(
            id="clarify",
            handler=begin,
            next={Outcome.OK: "abstract", Outcome.FAIL: "answer"},
            when={Outcome.OK: "QUESTION says what is asked", Outcome.FAIL: "QUESTION is none"},
            slots={"max_readings": limits.MAX_READINGS, "max_tests": limits.MAX_TESTS},
        ),
        StepDef(
            id="abstract",
            handler=carry,
            next={Outcome.OK: "characterize"},
            slots={"max_principles": limits.MAX_PRINCIPLES},
        ),
        StepDef(
            id="characterize",
            handler=characterize,
            next={Outcome.OK: "analogies"},
            when={Outcome.OK: "MODE is {{mode}}"},
            slots={"given": given},
        ),
        StepDef(
            id="analogies",
            handler=chosen,
            next={Outcome.OK: "plan"},
            slots={"min_cases": limits.MIN_CASES, "max_cases": limits.MAX_CASES},
        ),
        StepDef(
            id="plan",
            handler=plan,
            next={Outcome.OK: "perspectives", Outcome.SKIP: "synthesis"},
            slots={"max_parts": limits.MAX_PARTS},
        ),
        StepDef(
            id="perspectives",
            next={Outcome.OK: "critique"},
            slots={"min_lines": limits.MIN_LINES, "max_lines": limits.MAX_LINES, "max_task": limits.MAX_TASK},
        ),
        StepDef(id="critique", next={Outcome.OK: "revise"}),
        StepDef(
            id="revise",
            next={Outcome.OK: "dispatch"},
            slots={"min_lines": limits.MIN_LINES, "max_lines": limits.MAX_LINES},
        ),
        StepDef(id="dispatch", handler=LINES, next={Outcome.OK: "gate"}),
        StepDef(
            id="gate",
            handler=gate,
            next={Outcome.OK: "aggregate", Outcome.FAIL: "synthesis"},
            when={
                Outcome.OK: f"KEPT is {limits.MIN_KEPT} or more",
                Outcome.FAIL: f"KEPT is below {limits.MIN_KEPT}",
            },
            slots={"checks": limits.CHECKS},
        ),
        StepDef(id="aggregate", handler=aggregate, next={Outcome.OK: "synthesis"}),
        StepDef(
            id="synthesis",
            handler=synthesis,
            next={Outcome.OK: "refine"},
            slots={"evidence": evidence, "max_looks": limits.MAX_ALL_LOOKS, "max_claims": limits.MAX_CLAIMS},
        ),
        StepDef(
            id="refine",
            handler=rounds(limits.MAX_ROUNDS),
            next={Outcome.OK: "answer", Outcome.ITERATE: "refine"},
            when=WHEN,
            slots={"max_rounds": limits.MAX_ROUNDS, "max_looks": limits.MAX_LOOKS},
        ),
        StepDef(id="answer", next={Outcome.OK: None}, slots={"max_words": limits.MAX_WORDS}),
    ),
    module="skills.deepthink.think",
    description="Think an open question through: an answer, what it rests on, and what would overturn it.",
)
