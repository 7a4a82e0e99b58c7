"""A throw-away project in git, and an approved plan for it: two waves, a documentation milestone, a check."""

import os
import shlex
import subprocess
import sys
from typing import Final

from attrs import evolve

from skills.planner.carrying import waves
from skills.planner.commands.beginning import init
from skills.planner.commands.context import freeze_context, set_context
from skills.planner.phases import PLANNING
from skills.planner.rehearsal import CONTEXT
from skills.planner.schema.context import ContextField
from skills.planner.schema.decisions import Decision, PlanningContext
from skills.planner.schema.milestone import CodeChange, CodeIntent, Milestone
from skills.planner.schema.plan import Overview, Plan, Wave
from skills.planner.schema.run import PassedGate
from skills.planner.state.files import digest_of, plan_store, run_store

FILES: Final = {
    "src/api.py": 'def handle(request):\n    return "served"\n',
    "tests/test_api.py": (
        "import doctest\nimport unittest\n\nfrom src import api\n\n\nclass Test(unittest.TestCase):\n"
        '    def test_it_serves(self):\n        self.assertEqual(api.handle("a"), "served")\n\n'
        "    def test_its_examples_are_true(self):\n        self.assertEqual(doctest.testmod(api).failed, 0)\n"
    ),
    "tests/__init__.py": "",
    "README.md": "# Service\n",
}
MOVED: Final = '"""The service."""\n\n\ndef handle(request, *, quiet=False):\n    return "served"\n'
"""src/api.py as somebody left it after the plan was approved."""
BUILT: Final = (
    '"""The service."""\n\nfrom src.limit import LIMIT\n\n\ndef handle(request, *, quiet=False, count=0):\n'
    '    return "served" if count < LIMIT else "refused"\n'
)
"""src/api.py as its intent has it then."""
CHECK: Final = shlex.join([sys.executable, "-B", "-m", "unittest", "discover", "-q", "-s", "tests", "-t", "."])
ENVIRONMENT: Final = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


def _created(file: str, *lines: str) -> str:
    body = "".join(f"+{line}\n" for line in lines)
    return f"--- /dev/null\n+++ b/{file}\n@@ -0,0 +1,{len(lines)} @@\n{body}".replace("+1,1 @@", "+1 @@")


def _code(number: int, file: str, behavior: str, diff: str) -> Milestone:
    name = f"M-{number:03d}"
    intent = CodeIntent(id=f"CI-{name}-001", file=file, behavior=behavior, decision_refs=("DL-001",))
    change = CodeChange(id=f"CC-{name}-001", intent_ref=intent.id, file=file, diff=diff)
    return Milestone(
        id=name,
        name=behavior,
        files=(file,),
        acceptance_criteria=(f"{file} does",),
        tests=(f"command:{CHECK}",),
        code_intents=(intent,),
        code_changes=(change,),
    )


API: Final = (
    '--- a/src/api.py\n+++ b/src/api.py\n@@ -1,2 +1,5 @@\n-def handle(request):\n-    return "served"\n'
    "+from src.limit import LIMIT\n+\n+\n+def handle(request, count=0):\n"
    '+    return "served" if count < LIMIT else "refused"\n'
)
README: Final = "--- a/README.md\n+++ b/README.md\n@@ -1 +1,3 @@\n # Service\n+\n+It refuses callers over the limit.\n"
PLAN: Final = Plan(
    overview=Overview(problem="Callers flood the API", approach="Count and refuse"),
    planning_context=PlanningContext(
        decisions=(Decision(id="DL-001", decision="Count in memory", reasoning="one process -> no store"),)
    ),
    milestones=(
        _code(1, "src/limit.py", "holds the limit", _created("src/limit.py", "LIMIT = 10")),
        _code(2, "src/clock.py", "tells the second", _created("src/clock.py", "def second():", "    return 0")),
        _code(3, "src/api.py", "refuses over the limit", API),
        Milestone(
            id="M-004",
            name="Describe",
            files=("README.md",),
            acceptance_criteria=("the README says who is refused",),
            code_changes=(CodeChange(id="CC-M-004-001", file="README.md", diff=README),),
            is_documentation_only=True,
        ),
    ),
    waves=(Wave(id="W-001", milestones=("M-001", "M-002")), Wave(id="W-002", milestones=("M-003",))),
)


def git(project: str, *words: str) -> str:
    """What git says. Raises CalledProcessError where it refuses."""
    command = ("git", "-c", "core.hooksPath=/dev/null", *words)
    return subprocess.run(
        command, cwd=project, env=ENVIRONMENT, check=True, capture_output=True, encoding="utf-8"
    ).stdout


def write(project: str, file: str, text: str) -> None:
    """Writes a file of the project."""
    path = os.path.join(project, *file.split("/"))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as opened:
        opened.write(text)


def commit(project: str, message: str) -> None:
    """Commits all that differs, if anything does."""
    git(project, "add", "--all")
    if git(project, "status", "--porcelain"):
        git(project, "commit", "-q", "-m", message)


def begun(project: str) -> None:
    """The repository, its first commit and one that came after the plan."""
    os.makedirs(project)
    git(project, "init", "-q")
    for file, text in FILES.items():
        write(project, file, text)
    commit(project, "Begin")
    write(project, "src/api.py", MOVED)
    commit(project, "Move")


def approved(state_dir: str, project: str, plan: Plan = PLAN) -> None:
    """A run whose plan is approved for the project."""
    init(state_dir, "Limit each caller's requests", project_root=project)
    for field in ContextField:
        set_context(state_dir, field, CONTEXT.get(field, ()))
    freeze_context(state_dir)
    plan_store(state_dir).change(lambda _: (plan, None))
    digest = digest_of(plan)
    gates = tuple(PassedGate(phase=row.phase, plan_digest=digest) for row in PLANNING)
    run_store(state_dir).change(lambda run: (evolve(run, gates=gates, approval=digest, waves=waves(plan)), None))
