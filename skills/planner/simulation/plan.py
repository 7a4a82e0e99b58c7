"""The plan that a rehearsal makes and executes: two waves, a documentation milestone, a check."""

import shlex
import sys
from typing import Final

from attrs import evolve

from ..commands.beginning import init
from ..commands.plan.context import freeze_context, write_context
from ..execution.snapshots import keep_plan
from ..execution.waves import waves
from ..reports.brief import write_brief
from ..schema.context import ContextField
from ..schema.depth import Depth
from ..schema.plan.decisions import Decision, PlanningContext
from ..schema.plan.diagram import Diagram, DiagramEdge, DiagramNode, DiagramType
from ..schema.plan.document import Overview, Plan, Wave
from ..schema.plan.milestone import CodeChange, CodeIntent, Milestone
from ..schema.run import PassedGate, Run
from ..state.files import change_run, context_store, plan_store, run_store
from .project import API, LIMIT, README, TEST

CHECK: Final = shlex.join([sys.executable, "-B", "-m", "unittest", "discover", "-q", "-s", "tests", "-t", "."])
"""The project's own tests."""
BUILT: Final = '''"""The service."""

from src.clock import second
from src.limit import Counter

COUNTER = Counter()


def handle(request, *, quiet=False, now=second):
    return "served" if COUNTER.allows(request, now()) else "refused"
'''
"""The file src/api.py as its intent says, on top of a change that was made after the approval."""
CLOCK: Final = "src/clock.py"
_CLOCK: Final = """\
import time


def second():
    return int(time.monotonic())
"""
_LIMIT: Final = """\
LIMIT = 10


class Counter:
    def __init__(self):
        self.counts = {}

    def allows(self, caller, second):
        key = caller, second
        self.counts[key] = self.counts.get(key, 0) + 1
        return self.counts[key] <= LIMIT
"""
_TEST: Final = """\
import unittest

from src import api


class Test(unittest.TestCase):
    def test_the_eleventh_request_of_a_second_is_refused(self):
        said = [api.handle("b", now=lambda: 0) for _ in range(11)]
        self.assertEqual(said, ["served"] * 10 + ["refused"])
"""
_API: Final = """\
--- a/src/api.py
+++ b/src/api.py
@@ -1,2 +1,8 @@
-def handle(request):
-    return "served"
+from src.clock import second
+from src.limit import Counter
+
+COUNTER = Counter()
+
+
+def handle(request, now=second):
+    return "served" if COUNTER.allows(request, now()) else "refused"
"""
_API_AFTER: Final = """\
from src.clock import second
from src.limit import Counter

COUNTER = Counter()


def handle(request, now=second):
    return "served" if COUNTER.allows(request, now()) else "refused"
"""
_README: Final = "--- a/README.md\n+++ b/README.md\n@@ -1 +1,3 @@\n # Service\n+\n+It refuses callers over the limit.\n"
CONTEXT: Final = {
    ContextField.TASK_SPEC: ("Limit each caller's requests", "out-of-scope: billing"),
    ContextField.CONSTRAINTS: ("MUST: no new service (user-specified)",),
    ContextField.ENTRY_POINTS: ("src/api.py:handle - every request passes it",),
}


def _created(file: str, text: str) -> str:
    lines = text.splitlines()
    return f"--- /dev/null\n+++ b/{file}\n@@ -0,0 +1,{len(lines)} @@\n" + "".join(f"+{line}\n" for line in lines)


def _code(number: int, name: str, criterion: str, *brings: tuple[str, str, str]) -> Milestone:
    """Return a milestone with the intent and the diff of each file that it touches."""
    id_ = f"M-{number:03d}"
    intents = [
        CodeIntent(id=f"CI-{id_}-{n:03d}", file=file, behavior=behavior, decision_refs=("DL-001",))
        for n, (file, behavior, _) in enumerate(brings, 1)
    ]
    changes = [
        CodeChange(id=f"CC-{id_}-{n:03d}", intent_ref=intent.id, file=intent.file, diff=diff)
        for n, (intent, (_, _, diff)) in enumerate(zip(intents, brings, strict=True), 1)
    ]
    return Milestone(
        id=id_,
        name=name,
        files=tuple(file for file, _, _ in brings),
        acceptance_criteria=(criterion,),
        tests=(f"command:{CHECK}",),
        code_intents=tuple(intents),
        code_changes=tuple(changes),
    )


def _documented(milestone: Milestone) -> Milestone:
    """Add the README, and its change, which has no intent of its own."""
    change = CodeChange(id=f"CC-{milestone.id}-{len(milestone.code_changes) + 1:03d}", file=README, diff=_README)
    changes = (*milestone.code_changes, change)
    return evolve(milestone, files=(*milestone.files, README), code_changes=changes)


PLAN: Final = Plan(
    overview=Overview(problem="Callers flood the API", approach="Count each caller's requests, refuse over the limit"),
    planning_context=PlanningContext(
        decisions=(Decision(id="DL-001", decision="Count in memory", reasoning="one process -> no store needed"),)
    ),
    diagram_graphs=(
        Diagram(
            id="DIAG-001",
            type=DiagramType.DATAFLOW,
            scope="overview",
            title="A request",
            nodes=tuple(DiagramNode(id=name, label=name) for name in ("caller", "api", "limiter")),
            edges=(
                DiagramEdge(source="caller", target="api", label="asks"),
                DiagramEdge(source="api", target="limiter", label="counts"),
            ),
        ),
    ),
    milestones=(
        _code(
            *(1, "Hold the limit", "a counter allows ten a second"),
            (LIMIT, "Counter.allows(caller, second) says whether one more request is allowed", _created(LIMIT, _LIMIT)),
        ),
        _code(
            *(2, "Read the clock", "second() is a whole number"),
            (CLOCK, "second() returns the current second", _created(CLOCK, _CLOCK)),
        ),
        _code(
            *(3, "Refuse over the limit", "the eleventh request of a second is refused"),
            (API, "handle() asks the counter first", _API),
            (TEST, "the eleventh request of a second is refused", _created(TEST, _TEST)),
        ),
        Milestone(
            id="M-004",
            name="Describe",
            files=(README,),
            acceptance_criteria=("the README says who is refused",),
            code_changes=(CodeChange(id="CC-M-004-001", file=README, diff=_README),),
            is_documentation_only=True,
        ),
    ),
    waves=(Wave(id="W-001", milestones=("M-001", "M-002")), Wave(id="W-002", milestones=("M-003",))),
)

TRIAL: Final = evolve(
    PLAN,
    milestones=(
        _code(
            *(1, "Hold the limit", "a counter allows ten a second"),
            (LIMIT, "Counter.allows(caller, second) says whether one more request is allowed", _created(LIMIT, _LIMIT)),
            (CLOCK, "second() returns the current second", _created(CLOCK, _CLOCK)),
        ),
        _documented(
            _code(
                *(2, "Refuse over the limit", "the eleventh request of a second is refused"),
                (API, "handle() asks the counter first", _API),
                (TEST, "the eleventh request of a second is refused", _created(TEST, _TEST)),
            )
        ),
    ),
    waves=(Wave(id="W-001", milestones=("M-001",)), Wave(id="W-002", milestones=("M-002",))),
)
"""The same work in two milestones, the second with its document."""


_AFTER: Final = {
    LIMIT: _LIMIT,
    CLOCK: _CLOCK,
    API: _API_AFTER,
    TEST: _TEST,
    README: "# Service\n\nIt refuses callers over the limit.\n",
}
"""The files of the project after the plan."""


def files_of(plan: Plan, milestone: str) -> dict[str, str]:
    """Return the files that a milestone changes, by path, each with its text afterwards."""
    found = next(each for each in plan.milestones if each.id == milestone)
    return {change.file: _AFTER[change.file] for change in found.code_changes}


def approve(state_dir: str, project: str, task: str, plan: Plan = PLAN, depth: Depth | None = None) -> None:
    """Make a run whose plan is approved for the project, at a depth."""
    init(state_dir, task, project_root=project)
    if run_store(state_dir).load().context_digest is None:
        write_context(state_dir, {field: CONTEXT.get(field, ()) for field in ContextField})
        freeze_context(state_dir)
    plan_store(state_dir).change(lambda _: (plan, None))
    write_brief(state_dir, context_store(state_dir).load(), plan)
    digest = keep_plan(state_dir, plan)

    def record(run: Run) -> Run:
        deep = evolve(run, depth=depth)
        gates = tuple(PassedGate(phase=phase, plan_digest=digest) for phase in deep.planning)
        return evolve(deep, gates=gates, approval=digest, waves=waves(plan))

    change_run(state_dir, record)
