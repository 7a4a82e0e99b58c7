"""Refactoring analysis: from a scope to an ordered plan of changes. Seven steps; the second dispatches explorers."""

from typing import Final, Literal

from lib.workflow.core import AgentChoice, Outcome, State, StepContext, StepDef, Workflow, with_prompts

from .modes import Mode, ModeArg, Scope
from .run import AT_MOST, EXPLORERS, FEW, MODULE, SEED, Count, Seed, again, another, explorers, listed

SMALL: Final = 2_000
"""Fewest lines of a scope that deserves all explorers."""
MAX_OPENED: Final = 40
"""Most findings that triage opens."""
MAX_LOOKS: Final = 4
"""Most checks to decide between two groupings."""
GUESSED: Final = 10
"""Files that represent the user's future changes, if those are unknown."""
COMMITS: Final = 50
"""Commits that represent the history of a project without commits in the last year."""
MAX_MINUTES: Final = 10
"""Most minutes of the command that shows that the program works."""
MAX_TRIALS: Final = 3
"""Most places that are broken on trial, to check if the tests catch it."""
MAX_CHANGES: Final = 10
MAX_FULL: Final = 3
"""Most changes that the report shows with evidence and steps."""
MAX_WORDS: Final = 500
"""Most words of the report."""


def choose(
    context: StepContext, scope: Scope, mode: ModeArg | None = None, n: Count | None = None, seed: Seed = SEED
) -> AgentChoice[Literal[Outcome.OK, Outcome.FAIL]]:
    """Let the agent choose mode and depth, unless given; if there is nothing to examine, the report says so."""
    state = context.step_state
    modes, depths = ([mode] if mode else Mode), ([n] if n else (EXPLORERS, FEW))
    return AgentChoice(
        {
            Outcome.OK: tuple({**state, "mode": each, "n": many} for many in depths for each in modes),
            Outcome.FAIL: {**state, "mode": mode, "n": n or EXPLORERS},
        }
    )


def carry(context: StepContext, scope: Scope, mode: ModeArg, n: Count, seed: Seed) -> tuple[Literal[Outcome.OK], State]:
    """Pass the run's parameters on to every step: the sample and the repeat command depend on them."""
    return Outcome.OK, context.step_state


def report(
    context: StepContext, scope: Scope, n: Count, seed: Seed, mode: ModeArg | None = None
) -> tuple[Literal[Outcome.OK], State]:
    """End the run. There is no mode if nothing was examined."""
    return Outcome.OK, context.step_state


def rule(context: StepContext) -> str:
    """Return the rule for the mode, which may be given with the command."""
    mode = context.step_state["mode"]
    return f"Keep `{mode}`, the mode of the command, unless `empty` fits" if mode else "Choose the first mode that fits"


def depth(context: StepContext) -> str:
    """Return the rule for the number of agents, unless it was given with the command."""
    if context.step_state["n"]:
        return ""
    quick = f"{FEW} if the scope has fewer than {SMALL:,} lines, or if the user wants a quick look"
    return f" Add a row `AGENTS`, one for each category: {quick}; otherwise {EXPLORERS}."


WORKFLOW = Workflow(
    "refactor",
    *with_prompts(
        __file__,
        "prompts.md",
        StepDef(
            id="mode",
            handler=choose,
            next={Outcome.OK: "dispatch", Outcome.FAIL: "report"},
            when={Outcome.OK: "MODE is {{mode}}, AGENTS is {{n}}", Outcome.FAIL: "MODE is empty"},
            slots={"rule": rule, "depth": depth, "max_minutes": MAX_MINUTES},
        ),
        StepDef(
            id="dispatch",
            handler=carry,
            next={Outcome.OK: "triage"},
            slots={"explorers": explorers, "at_most": AT_MOST},
        ),
        StepDef(
            id="triage",
            handler=carry,
            next={Outcome.OK: "cluster"},
            slots={"max_opened": MAX_OPENED, "commits": COMMITS},
        ),
        StepDef(id="cluster", handler=carry, next={Outcome.OK: "context"}, slots={"max_looks": MAX_LOOKS}),
        StepDef(
            id="context",
            handler=carry,
            next={Outcome.OK: "order"},
            slots={"max_trials": MAX_TRIALS, "guessed": GUESSED},
        ),
        StepDef(id="order", handler=carry, next={Outcome.OK: "report"}, slots={"max_changes": MAX_CHANGES}),
        StepDef(
            id="report",
            handler=report,
            next={Outcome.OK: None},
            slots={
                "sample": listed,
                "again": again,
                "another": another,
                "max_full": MAX_FULL,
                "max_words": MAX_WORDS,
            },
        ),
    ),
    module=MODULE,
    description="Find what a refactoring should change, in which order and why. It changes nothing.",
)
