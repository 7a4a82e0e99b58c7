"""State that a step makes and others need, a question to the user, an agent without a verdict, another script."""

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal, TypeAlias

from lib.workflow.command import Command
from lib.workflow.core import Arg, AskUser, Dispatch, Outcome, RefusedError, Script, StepContext, StepDef, Workflow
from lib.workflow.types import AgentRole, Tier

StateDir: TypeAlias = Annotated[str, Arg(description="where the run keeps its files", path=True)]
Answer: TypeAlias = Annotated[str, Arg(description="the answer of the user", choices=("take", "work", "drop"))]
Way: TypeAlias = Literal[Outcome.OK, Outcome.ITERATE, Outcome.FAIL]
WAYS: Final[Mapping[str, Way]] = MappingProxyType({"take": Outcome.OK, "work": Outcome.ITERATE, "drop": Outcome.FAIL})


def request(context: StepContext) -> str:
    """Return the request on file. Raises RefusedError if it is missing."""
    state_dir = str(context.workflow_params["state_dir"])
    try:
        with open(os.path.join(state_dir, "request"), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        command = Command("tests.workflows.desk.run", ("--step", "1", "--state-dir", state_dir))
        raise RefusedError("no-request", state_dir, "holds no request", "Start with the first step.", command) from None


def opened(context: StepContext, state_dir: StateDir) -> tuple[Literal[Outcome.OK], dict[str, str]]:
    """File the request, once."""
    with open(os.path.join(state_dir, "request"), "w", encoding="utf-8") as file:
        file.write("a <request> & more")
    return Outcome.OK, {}


def asked(context: StepContext, answer: Answer | None = None) -> tuple[Way, dict[str, str]] | AskUser:
    """Let the user decide; the request must exist."""
    request(context)
    if answer is not None:
        return WAYS[answer], {}
    from lib.workflow.ast.relay import Option, Question  # only the step that asks pays for it

    options = (Option(label="take it"), Option(label="work on it"), Option(label="drop it"))
    question = Question(header="Request", text="The request cannot be met in this form.", options=options)
    return AskUser(question, *({"answer": word} for word in WAYS))


WORKFLOW = Workflow(
    "desk",
    StepDef(id="open", title="Open", actions="Filed.", handler=opened, next={Outcome.OK: "work"}, changes_state=True),
    StepDef(
        id="work",
        title="Work",
        actions="Launch the agent.",
        handler=Dispatch(
            agent=AgentRole.DEVELOPER,
            tier=Tier.STRONG,
            script=Script(module="tests.workflows.review.run", passes=("state_dir",)),
            prompt=lambda context: f"Meet {request(context)}",
            returns="whatever there is to say",
            verdict=False,
        ),
        next={Outcome.OK: "ask"},
        limit=3,
    ),
    StepDef(
        id="ask",
        title="Ask",
        actions="Put the question to the user.",
        handler=asked,
        next={
            Outcome.OK: Script(module="tests.workflows.review.run", passes=("state_dir",)),
            Outcome.ITERATE: "work",
            Outcome.FAIL: "close",
        },
    ),
    StepDef(id="close", title="Close", actions="Closed.", next={Outcome.OK: None}),
    module="tests.workflows.desk.run",
    description="A workflow of the tests, with a user.",
    params=("state_dir",),
)
