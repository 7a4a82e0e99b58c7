"""One example of every node class, for the reference."""

from collections.abc import Mapping
from typing import Final

from ...ast import batch, dispatch, guidance, nodes, relay, results, step
from ...ast.fields import Node
from ...command import Command
from ...command.quoting import Slot
from ...command.template import CommandTemplate
from ...types import AgentRole, GateStatus, Outcome, Tier

_PYTHON = ("python3", "-I")
_NEXT = step.Invoke(Command("skills.problem_analysis.analyze", ("--step", "4"), _PYTHON))
_AGAIN = step.Invoke(Command("skills.problem_analysis.analyze", ("--step", "3", "--iteration", "2"), _PYTHON))
_EXPLORE = step.Invoke(Command("skills.codebase_analysis.subagent", ("--step", "1"), _PYTHON))
_BRANCH = step.Branch(outcome=Outcome.OK, when="one row holds", invoke=_NEXT)
_LOOP = step.Branch(outcome=Outcome.ITERATE, when="two or more stand", invoke=_AGAIN)
_VERIFY = CommandTemplate(
    "skills.planner.quality_reviewer.plan_design_qr_verify", ("--step", "1", "--qr-items", Slot("GROUP_ITEMS")), _PYTHON
)
_QUESTION = relay.Question(
    header="Auth",
    text="How do callers identify themselves?",
    options=(relay.Option(label="Tokens", description="signed, short-lived"), relay.Option(label="Sessions")),
)

_ALL: Final[tuple[Node, ...]] = (
    nodes.Document([step.StepHeader(script="demo", step=5, total=5, title="Report"), step.Complete()]),
    nodes.Element("example", {"of": "a finding"}, "`users.id` is read before it is set"),
    nodes.Code(language="py", text="if a < b:\n    return a"),
    nodes.FileContent(path="docs/plan.md", text="# Plan\n\nFirst & second."),
    step.StepHeader(script="problem-analysis", phase="looking", step=3, total=5, title="Investigate"),
    step.XmlMandate(),
    step.CurrentAction(["Look first.", nodes.Code(language="sh", text="git log -5")]),
    _NEXT,
    _BRANCH,
    step.InvokeAfter(branches=(_BRANCH, _LOOP)),
    step.GateResult(GateStatus.PASS),
    step.Complete(),
    dispatch.SubagentDispatchNode(
        agent=AgentRole.QUALITY_REVIEWER,
        tier=Tier.STRONG,
        prompt="Review the plan.",
        returns="PASS or FAIL",
        invoke=_NEXT,
    ),
    dispatch.TemplateDispatchNode(
        agent=AgentRole.QUALITY_REVIEWER,
        at_most=4,
        targets=(
            dispatch.Target(id="component-auth", values={"items": "qa-001,qa-002"}, title="Auth component checks"),
            dispatch.Target(id="umbrella", values={"items": "qa-010"}, title="Cross-cutting checks"),
        ),
        template=dispatch.Template(invoke=dispatch.InvokeTemplate(_VERIFY)),
        returns="PASS or FAIL",
    ),
    dispatch.RosterDispatchNode(
        agent=AgentRole.EXPLORE,
        tier=Tier.FAST,
        agents=(
            dispatch.Agent(prompt="Map the storage layer.", invoke=_EXPLORE),
            dispatch.Agent(id="api", prompt="Map the API.", invoke=_EXPLORE),
        ),
    ),
    dispatch.RosterForm(
        rule="The next command reads this list from its standard input: 1 to 4 entries, one for each agent.",
        sample="- api: Map the API.\n- storage: Map the storage layer.\n  Leave out the tests.",
    ),
    guidance.StateBanner(checkpoint="plan-design", iteration=2, mode="fix"),
    guidance.ExpectedOutput(("a row for each setting", "the file that sets it")),
    guidance.Forbidden(("editing `context.json`: it is frozen",)),
    guidance.DetectionQuestions(("Which caller passes None?",)),
    guidance.VerificationChecklist(("every id resolves", "every diff applies")),
    guidance.IncorrectBehavior(("repairing a finding before the gate has run",)),
    guidance.Routing("Step 4 on pass, step 2 on fail"),
    guidance.PostQrRouting("PASS: the next phase. FAIL: back to the author."),
    guidance.Resource(name="severity.md", text="MUST blocks.\nCOULD does not."),
    guidance.OrchestratorConstraint("The author fixes findings."),
    guidance.FactoredVerificationRationale("An answer given beside the draft repeats the draft."),
    guidance.OpenQuestionGuidance("Ask what happens when the token has expired, not whether expiry is handled."),
    guidance.OrchestratorAction(["Run the gate.", _NEXT]),
    guidance.QrFileOutput(
        phase="plan-design", path="qr-plan-design.json", action=guidance.OrchestratorAction(["Run the gate.", _NEXT])
    ),
    relay.NeedsUserInput((_QUESTION,)),
    relay.UserResponse((relay.Answer(header="Auth", text="Tokens"),)),
    results.Refusal(
        code="unknown-item", target="qa-099", message="There is no such item.", fix="Name one of qa-001 to qa-012."
    ),
    results.EntityResult(id="CI-M-001-001", version=2, operation=results.Operation.UPDATED),
    results.VersionMismatchError(
        entity_id="CI-M-001-001",
        provided_version=1,
        current_version=2,
        current_entity='{"id": "CI-M-001-001", "version": 2}',
        action="Bring your change into the entity above and send it again with version 2.",
    ),
    batch.BatchResult(
        status=batch.BatchStatus.DONE,
        content=(
            results.EntityResult(id="DL-002", version=1, operation=results.Operation.CREATED, name="limit"),
            results.EntityResult(id="R-001", version=1, operation=results.Operation.CREATED),
        ),
    ),
    batch.RequestResult(
        requests="3",
        command="update-item",
        status=batch.RequestStatus.REFUSED,
        content=results.Refusal(code="invalid-request", target="update-item", message="x", fix="y"),
    ),
)

EXAMPLES: Final[Mapping[type[Node], Node]] = {type(node): node for node in _ALL}
"""Examples by class."""
