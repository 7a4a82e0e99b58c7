"""A state directory and a mode that every command carries, a skipped branch, a dispatch, a loop bounded by state."""

from typing import Annotated, Literal, TypeAlias

from attrs import frozen

from lib.workflow.ast.nodes import Code, Element
from lib.workflow.core import Arg, Dispatch, Outcome, Script, StepContext, StepDef, Workflow
from lib.workflow.types import AgentRole

StateDir: TypeAlias = Annotated[str, Arg(description="where the run keeps its files", path=True)]
Mode: TypeAlias = Annotated[str, Arg(description="how much to do", choices=("full", "quick"))]
Note: TypeAlias = Annotated[str, Arg(description="what the step before found")]


@frozen
class Handed:
    """A handler's state as a class: its fields become flags."""

    note: str


def plan(
    context: StepContext, state_dir: StateDir, mode: Mode = "full"
) -> tuple[Literal[Outcome.OK, Outcome.SKIP], dict[str, str]]:
    return (Outcome.SKIP, {"note": "-skipped"}) if mode == "quick" else (Outcome.OK, {})


def work(context: StepContext, loud: bool = False) -> tuple[Outcome, dict[str, bool]]:
    return Outcome.ITERATE, {}


def report(context: StepContext, note: Note | None = None) -> tuple[Outcome, Handed]:
    return Outcome.OK, Handed(note=f"{note} & <more>")


def end(context: StepContext, note: Note) -> tuple[Literal[Outcome.OK], dict[str, str]]:
    return Outcome.OK, {}


WORKFLOW = Workflow(
    "review",
    StepDef(
        id="plan",
        title="Plan",
        actions=("Plan in {{mode}} mode, in", "  > {{state_dir}}", "{{table}}", "", "Then go on."),
        slots={"table": lambda context: Code(language="text", text=f"{context.step_id}\n| a <b> |")},
        handler=plan,
        next={Outcome.OK: "work", Outcome.SKIP: "report"},
        phase="planning",
    ),
    StepDef(id="work", title="Work", actions="Work.", handler=work, next={Outcome.DEFAULT: "review"}, limit=5),
    StepDef(
        id="review",
        title="Review",
        actions=("Let an agent review it.", Element("example", {"of": "a reply"}, "PASS")),
        handler=Dispatch(
            agent=AgentRole.QUALITY_REVIEWER,
            script=Script(module="tests.workflows.review.run", passes=("state_dir",)),
            prompt="Review what is there.\n\nReply with PASS or FAIL.",
        ),
        next={Outcome.OK: "report", Outcome.FAIL: "work"},
    ),
    StepDef(id="report", title="Report", actions="Found: {{note}}", handler=report, next={Outcome.OK: "end"}),
    StepDef(id="end", title="End", actions="{{note}}", handler=end, next={Outcome.OK: None}),
    module="tests.workflows.review.run",
    description="A workflow of the tests.",
    params=("state_dir", "mode"),
    tags=("example",),
)
