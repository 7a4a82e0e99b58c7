"""Deep thinking: from an open question to an answer with its grounds. Fourteen steps; quick mode leaves out six."""

from enum import StrEnum
from typing import Annotated, Final, Literal, TypeAlias

from lib.workflow.command import Command
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
from skills.conventions.rounds import in_the_first_round

from . import limits


class Mode(StrEnum):
    """The depth of the thinking."""

    FULL = "full"
    """Several agents follow their own lines of inquiry."""
    QUICK = "quick"
    """One agent answers all parts itself."""


Chosen: TypeAlias = Annotated[Mode, Arg(description="with other agents, or without; left out, step 3 tells")]

SCRIPT: Final = "skills.deepthink.think"
QUESTION: Final = "Question: /tmp/question-3f.md. Read it first."
"""The start of each entry: the file holds the question and its facts, so no entry repeats it."""
LINES: Final = Roster(
    agent=AgentRole.GENERAL_PURPOSE,
    tier=Tier.STRONG,
    script=Script(module="skills.deepthink.subagent"),
    least=limits.MIN_LINES,
    most=limits.MAX_LINES,
    at_most=limits.MAX_AT_A_TIME,
    characters=limits.MAX_TASK,
    returns="a REPLY block alone",
    sample=(
        Task("V1", f"{QUESTION} Your line: what the code and its data hold today,\nand what each way would change."),
        Task("V2", f"{QUESTION} Your line: what bookkeeping and tax demand of an invoiced amount."),
    ),
)


def begin(context: StepContext, mode: Chosen | None = None) -> AgentChoice[Literal[Outcome.OK, Outcome.FAIL]]:
    """Let the agent decide if there is a question; without one, the answer says what is missing."""
    return AgentChoice({Outcome.OK: {"mode": mode}, Outcome.FAIL: {}})


def carry(context: StepContext, mode: Chosen | None = None) -> tuple[Literal[Outcome.OK], State]:
    """Pass a given mode to the step that would choose one."""
    return Outcome.OK, {"mode": mode}


def characterize(
    context: StepContext, mode: Chosen | None = None
) -> tuple[Literal[Outcome.OK], State] | AgentChoice[Literal[Outcome.OK]]:
    """Let the agent choose the mode by its table, unless it is given."""
    if mode is not None:
        return Outcome.OK, {"mode": mode}
    return AgentChoice({Outcome.OK: tuple({"mode": each} for each in Mode)})


def chosen(context: StepContext, mode: Chosen) -> tuple[Literal[Outcome.OK], State]:
    """Pass the mode on; from step 3 on there is one."""
    return Outcome.OK, {"mode": mode}


def plan(context: StepContext, mode: Chosen) -> tuple[Literal[Outcome.OK, Outcome.SKIP], State]:
    """Lead to other agents, or in quick mode to the synthesis."""
    return (Outcome.OK, {}) if mode is Mode.FULL else (Outcome.SKIP, {"mode": mode})


def gate(context: StepContext) -> AgentChoice[Literal[Outcome.OK, Outcome.FAIL]]:
    """Let the agent count the replies that it kept; with too few, it answers the parts itself."""
    return AgentChoice({Outcome.OK: {}, Outcome.FAIL: {"mode": Mode.QUICK}})


def aggregate(context: StepContext) -> tuple[Literal[Outcome.OK], State]:
    """Pass the full mode on; quick mode skips this step."""
    return Outcome.OK, {"mode": Mode.FULL}


def synthesis(context: StepContext, mode: Chosen) -> tuple[Literal[Outcome.OK], State]:
    """End the use of the mode, which has only selected the evidence of this step."""
    return Outcome.OK, {}


def given(context: StepContext) -> str:
    """Return a sentence on the mode, which may be given with the command."""
    mode = context.step_state["mode"]
    return f"The command gives the mode `{mode}`." if mode else "The command gives no mode."


def evidence(context: StepContext) -> str:
    """Return the basis of the answer in the run's mode."""
    if context.step_state["mode"] == Mode.FULL:
        return "`AGGREGATE` is the evidence."
    return (
        "First answer the parts of `PLAN` in order, by the means they name (`P1 | answer | place | kind`). A kept "
        "reply counts as one ground."
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
        StepDef(
            id="critique",
            next={Outcome.OK: "dispatch", Outcome.FAIL: "revise"},
            when={
                Outcome.OK: "at most the wording of lines changed",
                Outcome.FAIL: "a line was added, removed or joined",
            },
        ),
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
            slots={
                "max_rounds": limits.MAX_ROUNDS,
                "method": in_the_first_round(
                    __file__, "ledger.md", Command(SCRIPT, ("--step", "13")), {"max_looks": limits.MAX_LOOKS}
                ),
            },
        ),
        StepDef(id="answer", next={Outcome.OK: None}, slots={"max_words": limits.MAX_WORDS}),
    ),
    module=SCRIPT,
    description="Think an open question through: an answer, what it rests on, and what would overturn it.",
)
