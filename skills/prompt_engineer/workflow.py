"""Prompt engineer: from a prompt, or the wish for one, to a text that cases show to be better. Eight steps."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Final, Literal, TypeAlias

from lib.workflow.ast.step import Invoke
from lib.workflow.command import Command
from lib.workflow.core import AgentChoice, Arg, Outcome, State, StepContext, StepDef, Workflow, with_prompts

MAX_FAULTS: Final = 12
MIN_CASES: Final = 5
MAX_CASES: Final = 12
RUNS: Final = 3
"""Runs of each case, because one answer of a model shows little."""
HELD: Final = 3
"""One in this number of cases is kept out of the plan."""
MAX_CHANGES: Final = 8
"""Most changes of one plan; the cases cannot distinguish more at once."""
MAX_STRIKES: Final = 5
"""Most sentences that are removed on trial."""
MAX_PASSES: Final = 3
"""Most passes of the refinement (Javaji 2025, arXiv:2509.06770: gains come early)."""


class Scope(StrEnum):
    """The kind of request; the triage decides it."""

    SINGLE = "single"
    ECOSYSTEM = "ecosystem"
    GREENFIELD = "greenfield"
    PROBLEM = "problem"


Triaged: TypeAlias = Literal[Outcome.OK, Outcome.ITERATE, Outcome.SKIP, Outcome.FAIL]
SCOPES: Final[Mapping[Triaged, Scope]] = {
    Outcome.OK: Scope.SINGLE,
    Outcome.ITERATE: Scope.ECOSYSTEM,
    Outcome.SKIP: Scope.GREENFIELD,
    Outcome.FAIL: Scope.PROBLEM,
}
"""The scope of each outcome of the triage. SKIP: without a prompt, the assessment is skipped."""

Chosen: TypeAlias = Annotated[Scope, Arg(description="what to optimize; if left out, the triage decides")]


def triage(context: StepContext, scope: Chosen | None = None) -> tuple[Triaged, State] | AgentChoice[Triaged]:
    """Let the agent decide by the tests of its table, unless the call fixes the scope."""
    ways: dict[Triaged, State] = {outcome: {"scope": each} for outcome, each in SCOPES.items()}
    fixed = [(outcome, ways[outcome]) for outcome in ways if SCOPES[outcome] is scope]
    return fixed[0] if fixed else AgentChoice(ways)


def scoped(context: StepContext, scope: Chosen | None = None) -> tuple[Literal[Outcome.OK], State]:
    """Pass the scope on."""
    return Outcome.OK, {}


def refine(context: StepContext, scope: Chosen | None = None) -> tuple[Literal[Outcome.OK, Outcome.SKIP], State]:
    """Lead to the integration of hand-overs, which only an ecosystem has."""
    return (Outcome.OK if scope is Scope.ECOSYSTEM else Outcome.SKIP), {}


def rule(context: StepContext) -> str:
    """Return the rule that finds the scope."""
    scope = context.workflow_params["scope"]
    fixed = f"The call fixes the scope, {scope}. If the table gives another, say so under `ASSUMED`."
    return fixed if scope else "Take the first scope whose test holds."


def kinds(context: StepContext) -> str:
    """Return the kinds of techniques."""
    from .reference import kinds  # only the step that prints them pays for it

    return kinds()


def _read(context: StepContext) -> Invoke:
    return Invoke(Command("skills.prompt_engineer.techniques"))


WORKFLOW = Workflow(
    "prompt-engineer",
    *with_prompts(
        __file__,
        "prompts.md",
        StepDef(
            id="triage",
            handler=triage,
            next={
                Outcome.OK: "assess",
                Outcome.ITERATE: "assess",
                Outcome.FAIL: "assess",
                Outcome.SKIP: "understand",
            },
            when={outcome: f"the scope of TRIAGE is {scope}" for outcome, scope in SCOPES.items()},
            slots={"scope_rule": rule},
        ),
        StepDef(id="assess", handler=scoped, next={Outcome.OK: "understand"}, slots={"max_faults": MAX_FAULTS}),
        StepDef(
            id="understand",
            handler=scoped,
            next={Outcome.OK: "plan"},
            slots={"min_cases": MIN_CASES, "max_cases": MAX_CASES, "held": HELD, "runs": RUNS},
        ),
        StepDef(
            id="plan",
            next={Outcome.OK: "verify"},
            slots={"max_changes": MAX_CHANGES, "kinds": kinds, "read": _read},
        ),
        StepDef(id="verify", next={Outcome.OK: "execute"}),
        StepDef(id="execute", next={Outcome.OK: "refine"}),
        StepDef(
            id="refine",
            handler=refine,
            next={Outcome.OK: "integrate", Outcome.SKIP: None},
            slots={"runs": RUNS, "max_strikes": MAX_STRIKES, "max_passes": MAX_PASSES},
        ),
        StepDef(id="integrate", next={Outcome.OK: None}),
    ),
    module="skills.prompt_engineer.optimize",
    description="Optimize a prompt, several that work together, or write one, by named techniques and by cases.",
    params=("scope",),
)
