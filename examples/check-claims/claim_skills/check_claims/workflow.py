"""Check claims: list them, have each part checked by an agent of its own, fix round by round, report."""

from typing import Annotated, Final, Literal, TypeAlias

from claim_skills.check_claims.nodes import Claim
from claim_skills.roles import CLAIM_CHECKER
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

MAX_ROUNDS: Final = 3
MAX_PARTS: Final = 4
MAX_TASK: Final = 600
"""Maximum characters of an agent's task."""

SAMPLE: Final = Claim(place="docs/install.md:12", text="`--yes` installs without asking.")

CHECKERS: Final = Roster(
    agent=CLAIM_CHECKER,
    script=Script(module="claim_skills.check_claims.checker"),
    most=MAX_PARTS,
    characters=MAX_TASK,
    returns="a line for each claim: its place, and HOLDS or REFUTED with the reason",
    sample=(
        Task("P1", "Part: docs/install.md. Claims: docs/install.md:12, docs/install.md:40."),
        Task("P2", "Part: docs/usage.md. Claims: docs/usage.md:3."),
    ),
)

Round: TypeAlias = Annotated[int, Arg(description="number of this round", min=1, max=MAX_ROUNDS)]
Turn: TypeAlias = Literal[Outcome.OK, Outcome.ITERATE]


def fix(context: StepContext, iteration: Round = 1) -> AgentChoice[Turn]:
    """Let the agent decide by what is still refuted, and offer no round after the last."""
    ways: dict[Turn, State] = {Outcome.OK: {}}
    if iteration < MAX_ROUNDS:
        ways[Outcome.ITERATE] = {"iteration": iteration + 1}
    return AgentChoice(ways)


LIST = StepDef(
    id="list",
    title="List the claims",
    actions=[
        "List each claim of the document that somebody could check, with its place. One claim looks like this:",
        SAMPLE,
        "Divide the claims into parts of one file each. Each part is one entry of the list of agents.",
    ],
    next={Outcome.OK: "check"},
)

WORKFLOW = Workflow(
    "check-claims",
    LIST,
    *with_prompts(
        __file__,
        "prompts.md",
        StepDef(id="check", handler=CHECKERS, next={Outcome.OK: "fix"}),
        StepDef(
            id="fix",
            handler=fix,
            next={Outcome.OK: "report", Outcome.ITERATE: "fix"},
            when={Outcome.OK: "REFUTED is none, or no round is left", Outcome.ITERATE: "REFUTED names a place"},
            slots={"max_rounds": MAX_ROUNDS},
        ),
        StepDef(id="report", next={Outcome.OK: None}),
    ),
    module="claim_skills.check_claims.run",
    description="Check the claims of a document against their sources, and fix the refuted ones.",
    tags=(Claim.tag,),
)
