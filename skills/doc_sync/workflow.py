"""Documentation sync: updates indexes, READMEs and links to match the files. Five steps; the fourth is a loop."""

import os
from typing import Annotated, Final, Literal, TypeAlias

from lib.workflow.ast.step import Invoke
from lib.workflow.command import Command
from lib.workflow.core import AgentChoice, Arg, Outcome, State, StepContext, StepDef, Workflow, with_prompts
from skills.conventions.rounds import in_the_first_round

CONVENTIONS: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "conventions.md")
SCRIPT: Final = "skills.doc_sync.sync"
MAX_ROUNDS: Final = 3
MAX_FOLDERS: Final = 60
"""Most rows of a table that is still read line by line."""
MAX_FILES: Final = 30
"""Most files of all indexes that are opened to check that a row sends the right reader there."""
MAX_PAGES: Final = 6
"""Most pages whose claims are checked in one run."""
MAX_CLAIMS: Final = 8
"""Most claims of one page that are checked; the rest is style."""
MAX_WALKS: Final = 5
MAX_WORDS: Final = 300
"""Most words of the report."""

Listing: TypeAlias = Literal[Outcome.OK, Outcome.FAIL]
Turn: TypeAlias = Literal[Outcome.OK, Outcome.ITERATE]
Scope: TypeAlias = Annotated[str, Arg(description="the folder whose pages are brought into step", path=True)]
Round: TypeAlias = Annotated[int, Arg(description="which round of updates this is", min=1, max=MAX_ROUNDS)]


def discover(context: StepContext, scope: Scope = ".") -> AgentChoice[Listing]:
    """Let the agent report if the folder could be listed; otherwise the report says so."""
    return AgentChoice({Outcome.OK: {}, Outcome.FAIL: {}})


def update(context: StepContext, iteration: Round = 1) -> tuple[Literal[Outcome.OK], State] | AgentChoice[Turn]:
    """Let the agent choose by the output of the check; the last round is final."""
    if iteration == MAX_ROUNDS:
        return Outcome.OK, {}
    return AgentChoice({Outcome.OK: {}, Outcome.ITERATE: {"iteration": iteration + 1}})


def place(context: StepContext) -> str:
    """Return the scope as code."""
    return f"`{context.workflow_params['scope']}`"


def rows(context: StepContext) -> str:
    """Return what this round works on."""
    return "`add`, `fix` and `drop` rows of `AUDIT`" if context.step_state["iteration"] == 1 else "rows of `TODO`"


def check(context: StepContext) -> Invoke:
    """Return the command that checks the scope."""
    return _check(context)


def folders(context: StepContext) -> Invoke:
    """Return the command that lists the scope's folders."""
    return _check(context, "--folders")


def _check(context: StepContext, *options: str) -> Invoke:
    return Invoke(Command("skills.doc_sync.check", (*options, str(context.workflow_params["scope"]))))


WORKFLOW = Workflow(
    "doc-sync",
    *with_prompts(
        __file__,
        "prompts.md",
        StepDef(
            id="discover",
            handler=discover,
            next={Outcome.OK: "audit", Outcome.FAIL: "verify"},
            when={
                Outcome.OK: "the listing ended with exit status 0",
                Outcome.FAIL: "the listing ended with another exit status",
            },
            slots={"place": place, "folders": folders, "conventions": CONVENTIONS, "max_folders": MAX_FOLDERS},
        ),
        StepDef(
            id="audit",
            next={Outcome.OK: "migrate", Outcome.SKIP: "update"},
            when={
                Outcome.OK: "a row of AUDIT says move",
                Outcome.SKIP: "no row of AUDIT says move",
            },
            slots={
                "check": check,
                "max_files": MAX_FILES,
                "max_pages": MAX_PAGES,
                "max_claims": MAX_CLAIMS,
            },
        ),
        StepDef(id="migrate", next={Outcome.OK: "update"}),
        StepDef(
            id="update",
            handler=update,
            next={Outcome.OK: "verify", Outcome.ITERATE: "update"},
            when={
                Outcome.OK: "TODO is none",
                Outcome.ITERATE: "TODO names a row or a finding",
            },
            slots={
                "check": check,
                "rows": rows,
                "max_rounds": MAX_ROUNDS,
                "method": in_the_first_round(__file__, "rounds.md", Command(SCRIPT, ("--step", "4")), {}),
            },
        ),
        StepDef(
            id="verify",
            next={Outcome.OK: None},
            slots={"check": check, "max_walks": MAX_WALKS, "max_words": MAX_WORDS},
        ),
    ),
    module=SCRIPT,
    description="Bring indexes, READMEs and links into step with the files, and prose to where it belongs.",
    params=("scope",),
)
