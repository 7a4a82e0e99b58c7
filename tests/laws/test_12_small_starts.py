"""Law 12: a step imports what it uses. This list is the whole of it."""

from typing import Final

import pytest

from lib.workflow.ast.visitor import walk
from lib.workflow.calls import status_of
from lib.workflow.command import Command
from tests.starts import HEAVY, brought, imported
from tests.subjects import PROOF, of_each_step, printed, shown

OURS: Final = frozenset(
    f"lib.workflow{name}"
    for name in (
        "",
        ".ast",
        ".ast.declare",
        ".ast.invoke",
        ".ast.nodes",
        ".ast.step",
        ".ast.visitor",
        ".characters",
        ".calls",
        ".checks",
        ".cli",
        ".command",
        ".core",
        ".errors",
        ".handling",
        ".kinds",
        ".output",
        ".pages",
        ".parameters",
        ".printing",
        ".prompts",
        ".reach",
        ".records",
        ".render",
        ".render.describe",
        ".render.layout",
        ".render.xml",
        ".rounds",
        ".script",
        ".shell",
        ".slots",
        ".steps",
        ".structs",
        ".suggest",
        ".types",
    )
) | {"lib"}
DISPATCH: Final = {"lib.workflow.ast.dispatch", "lib.workflow.template"}
ROSTER: Final = DISPATCH | {"lib.workflow.stdin", "lib.workflow.tasks"}
FOR: Final = {
    "subagent_dispatch": DISPATCH,
    "roster_form": ROSTER,
    "parallel_dispatch": ROSTER,
    "needs_user_input": {"lib.workflow.ast.relay"},
}
"""What a step may import besides, by the nodes that it prints."""
ROUNDS: Final = "skills.conventions.rounds"
OF: Final = {
    "skills.codebase_analysis": ROUNDS,
    "skills.deepthink": ROUNDS,
    "skills.doc_sync": ROUNDS,
    "skills.problem_analysis": ROUNDS,
    "skills.incoherence": "fcntl, hashlib, hmac, lib.workflow.consent, lib.workflow.paths, lib.workflow.store",
    "skills.refactor": "random, skills.conventions.categories",
    "skills.planner": "fcntl, hashlib, hmac, lib.workflow.ast.results, lib.workflow.consent, lib.workflow.homes, "
    "lib.workflow.paths, lib.workflow.resources, "
    "lib.workflow.store, skills.conventions.texts, "
    "lib.workflow.questions, lib.workflow.table.arguments, skills.conventions.timeless.kinds, zlib",
}
"""What the steps of a skill may import besides, with all that it imports: data that skills share, or a state."""
GIT: Final = {"changes": "atexit, subprocess, tempfile", "also_changed": "lib.workflow.git, subprocess"}
"""What a step may import besides that asks git, by the elements that say what it said."""


APPLIES: Final = {
    "skills.planner.orchestrator.executor",
    "skills.planner.orchestrator.planner",
    "skills.planner.developer.exec_implement",
    "skills.planner.developer.exec_implement_execute",
}
"""The scripts of which a step applies approved diffs by git."""
APPLYING: Final = "atexit, lib.workflow.git, lib.workflow.table.requests, shutil, subprocess, tempfile"


@pytest.mark.parametrize("command", of_each_step(), ids=shown)
def test_a_step_imports_what_is_listed_and_no_more(command: Command) -> None:
    package = skill_of(command.module)
    document = printed()[command]
    tags = {node.tag for node in walk(document)}
    more = {module for tag, modules in FOR.items() if tag in tags for module in modules}
    workflow = PROOF.targets.workflows[command.module]
    more |= {type(step.kind).__module__ for step in workflow.steps.values()}  # of handlers that only some have
    if workflow.steps[PROOF.targets.step(command)].changes_state:
        more |= imported("-c", "import lib.workflow.step_lock")
    PROOF.stage.ready(workflow, PROOF.targets.step(command))
    given = PROOF.targets.given(command)
    modules = imported("-m", command.module, *command.words, status=status_of(document), given=given)
    own = {name for name in modules if not belongs(name, package)}
    for names in (
        OF.get(package),
        APPLYING if command.module in APPLIES else None,
        *(GIT[tag] for tag in sorted(tags & GIT.keys())),
    ):
        more |= imported("-c", f"import {names}") if names else set()
    assert own - brought() <= OURS | more
    assert not (own - more) & HEAVY


def skill_of(module: str) -> str:
    """The package of the skill that a script belongs to; of a workflow of the tests, the script's own."""
    return ".".join(module.split(".")[:2]) if module.startswith("skills.") else module.rpartition(".")[0]


def belongs(module: str, package: str) -> bool:
    """Whether the module is the skill's own, or a package around it."""
    return module == package or module.startswith(f"{package}.") or package.startswith(f"{module}.")
