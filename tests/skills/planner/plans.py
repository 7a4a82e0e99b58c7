"""Plans for tests: a small complete one, and parts to make others of."""

from attrs import evolve

from skills.planner.schema.plan.decisions import Decision, PlanningContext, RejectedAlternative, Risk
from skills.planner.schema.plan.diagram import Diagram, DiagramEdge, DiagramNode
from skills.planner.schema.plan.document import Overview, Plan, Wave
from skills.planner.schema.plan.milestone import CodeChange, CodeIntent, Milestone

DECISION = Decision(id="DL-001", decision="Sign tokens with HMAC", reasoning="many calls -> bcrypt is slow -> HMAC")
INTENT = CodeIntent(id="CI-M-001-001", file="src/auth.py", behavior="verify(token) -> User", decision_refs=("DL-001",))
DIFF = "--- a/src/auth.py\n+++ b/src/auth.py\n@@ -1 +1 @@\n-old\n+new\n"
CHANGE = CodeChange(id="CC-M-001-001", intent_ref="CI-M-001-001", file="src/auth.py", diff=DIFF)
CODE = Milestone(
    id="M-001",
    name="Verify tokens",
    files=("src/auth.py",),
    acceptance_criteria=("a forged token gives 401",),
    code_intents=(INTENT,),
    code_changes=(CHANGE,),
)
README = CodeChange(
    id="CC-M-002-001", file="README.md", diff="--- /dev/null\n+++ b/README.md\n@@ -0,0 +1 @@\n+Tokens are signed.\n"
)
DOCS = Milestone(
    id="M-002",
    name="Describe",
    acceptance_criteria=("the README says how",),
    code_changes=(README,),
    is_documentation_only=True,
)
DIAGRAM = Diagram(
    id="DIAG-001",
    scope="milestone:M-001",
    title="Verification",
    nodes=(DiagramNode(id="api", label="API"), DiagramNode(id="auth", label="Auth")),
    edges=(DiagramEdge(source="api", target="auth", label="asks"),),
    ascii_render="+-----+ asks +------+\n| API | ---> | Auth |\n+-----+      +------+",
)
PLAN = Plan(
    overview=Overview(problem="Anybody gets in", approach="Signed tokens"),
    planning_context=PlanningContext(
        decisions=(DECISION,),
        rejected_alternatives=(
            RejectedAlternative(id="RA-001", alternative="Sessions", reason="a store more", decision_ref="DL-001"),
        ),
        constraints=("MUST: Python 3.11",),
        risks=(Risk(id="R-001", risk="The key leaks", mitigation="Rotate it", decision_ref="DL-001"),),
    ),
    diagram_graphs=(DIAGRAM,),
    milestones=(CODE, DOCS),
    waves=(Wave(id="W-001", milestones=("M-001",)),),
)
"""A complete plan that could be approved."""


def milestone(number: int, *files: str, intents: tuple[str, ...] = ()) -> Milestone:
    """Return a milestone of code with its files, and an intent for each of `intents`."""
    name = f"M-{number:03d}"
    made = (CodeIntent(id=f"CI-{name}-{n:03d}", file=file, behavior="as said") for n, file in enumerate(intents, 1))
    return Milestone(id=name, name=name, files=files, code_intents=tuple(made))


def with_milestones(*milestones: Milestone) -> Plan:
    """Return PLAN with these milestones instead of its own, all of them in one wave."""
    wave = Wave(id="W-001", milestones=tuple(each.id for each in milestones))
    return evolve(PLAN, milestones=milestones, waves=(wave,), diagram_graphs=())
