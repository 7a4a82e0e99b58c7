"""One explorer: looks for one category of code quality within a scope and reports places. Five steps."""

from typing import Annotated, Final, Literal, TypeAlias

from lib.workflow.core import Arg, Outcome, State, StepContext, StepDef, Workflow, with_prompts
from skills.conventions.categories import Part, category_ids

from .modes import ModeArg, Scope
from .reading import part, reads, title, variants

MAX_AREAS: Final = 5
MAX_NORMS: Final = 3
"""Most places that show the project's own good practice."""
MAX_CONDITIONS: Final = 4
MAX_SEARCHES: Final = 8
SURPRISE: Final = 3
"""Multiple of the predicted count above which the pattern is tried out."""
MAX_OPENED: Final = 30
"""Most places that one explorer opens."""
MAX_FINDINGS: Final = 6
MAX_PLACES: Final = 5
"""Most places of one finding; the rest is counted."""

CategoryId: TypeAlias = Annotated[
    str,
    Arg(description="what is looked for", choices=category_ids(), samples=("dead-code", "duplicated-knowledge")),
]


def see(context: StepContext, category: CategoryId, mode: ModeArg, scope: Scope) -> tuple[Literal[Outcome.OK], State]:
    """Pass the category and the mode on: no later step names the scope."""
    return Outcome.OK, {"category": category, "mode": mode}


def judge(context: StepContext, category: CategoryId, mode: ModeArg) -> tuple[Literal[Outcome.OK], State]:
    """Pass the mode on to the step that shows the category's signs in this mode."""
    return Outcome.OK, {"category": category, "mode": mode}


def choose(context: StepContext, category: CategoryId, mode: ModeArg) -> tuple[Literal[Outcome.OK], State]:
    """Pass on only the category: no later step needs the mode."""
    return Outcome.OK, {"category": category}


def carry(context: StepContext, category: CategoryId) -> tuple[Literal[Outcome.OK], State]:
    """Pass the category on to the report."""
    return Outcome.OK, {"category": category}


WORKFLOW = Workflow(
    "refactor-explore",
    *with_prompts(
        __file__,
        "explore.md",
        StepDef(
            id="context",
            handler=see,
            next={Outcome.OK: "principle"},
            slots={"title": title, "reads": reads, "max_areas": MAX_AREAS},
        ),
        StepDef(
            id="principle",
            handler=judge,
            next={Outcome.OK: "patterns"},
            slots={
                "principle": part(Part.PRINCIPLE),
                "leave_alone": part(Part.LEAVE_ALONE),
                "example": part(Part.EXAMPLE),
                "max_norms": MAX_NORMS,
                "max_conditions": MAX_CONDITIONS,
            },
        ),
        StepDef(
            id="patterns",
            handler=choose,
            next={Outcome.OK: "search"},
            slots={"look_for": part(Part.LOOK_FOR), "variants": variants, "max_searches": MAX_SEARCHES},
        ),
        StepDef(
            id="search",
            handler=carry,
            next={Outcome.OK: "synthesis"},
            slots={"max_opened": MAX_OPENED, "surprise": SURPRISE},
        ),
        StepDef(
            id="synthesis",
            handler=carry,
            next={Outcome.OK: None},
            slots={"max_findings": MAX_FINDINGS, "max_places": MAX_PLACES},
        ),
    ),
    module="skills.refactor.explore",
    description="Look for one category of code quality within a scope, for an agent that was launched with it.",
)
