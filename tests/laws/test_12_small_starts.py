"""Law 12: a step imports only what it uses. This list is complete."""

import atexit
import os
from functools import cache
from typing import Final

import pytest

from lib.workflow.ast.visitor import walk
from lib.workflow.cli.calls import status_of
from lib.workflow.command import Command
from tests.starts import HEAVY, brought, imported_by
from tests.subjects import PROOF, of_each_step, printed, shown
from tests.warm import Warm

OURS: Final = frozenset(
    f"lib.workflow{name}"
    for name in (
        "",
        ".arguments",
        ".arguments.parameter",
        ".ast",
        ".ast.fields",
        ".ast.nodes",
        ".ast.reserved",
        ".ast.step",
        ".ast.visitor",
        ".cli",
        ".cli.calls",
        ".cli.script",
        ".cli.words",
        ".command",
        ".command.command",
        ".command.quoting",
        ".core",
        ".core.page",
        ".core.step",
        ".core.step_texts",
        ".core.transitions",
        ".core.validation",
        ".core.workflow",
        ".errors",
        ".handlers",
        ".handlers.base",
        ".handlers.function",
        ".handlers.loop",
        ".prompts",
        ".prompts.markdown",
        ".prompts.reader",
        ".prompts.records",
        ".prompts.slots",
        ".render",
        ".render.layout",
        ".render.writer",
        ".render.xml",
        ".types",
        ".util",
        ".util.characters",
        ".util.output",
        ".util.startup",
        ".arguments.signatures",
        ".util.structs",
        ".util.suggest",
    )
) | {"lib"}
DISPATCH: Final = {"lib.workflow.ast.dispatch", "lib.workflow.command.template"}
ROSTER: Final = DISPATCH | {"lib.workflow.arguments.stdin", "lib.workflow.handlers.task_list"}
FOR: Final = {
    "subagent_dispatch": DISPATCH,
    "roster_form": ROSTER,
    "parallel_dispatch": ROSTER,
    "needs_user_input": {"lib.workflow.ast.relay"},
}
"""Additional imports of a step, by the nodes that it prints."""
ROUNDS: Final = "skills.conventions.rounds"
OF: Final = {
    "skills.codebase_analysis": ROUNDS,
    "skills.deepthink": ROUNDS,
    "skills.doc_sync": ROUNDS,
    "skills.problem_analysis": ROUNDS,
    "skills.incoherence": "fcntl, lib.workflow.state.consent, lib.workflow.util.digests, lib.workflow.util.paths, lib.workflow.state.store",
    "skills.refactor": "random, skills.conventions.categories",
    "skills.planner": "fcntl, lib.workflow.state.consent, lib.workflow.state.run_dirs, lib.workflow.util.digests, "
    "lib.workflow.util.paths, lib.workflow.resources, "
    "lib.workflow.state.store, skills.conventions.texts, "
    "lib.workflow.handlers.ask_user, lib.workflow.util.plurals, skills.conventions.timeless.kinds, zlib",
}
"""Additional imports of a skill's steps, with their own imports: data that skills share, or a state."""
GIT: Final = {"changes": "atexit, subprocess, tempfile", "also_changed": "lib.workflow.state.git, subprocess"}
"""Additional imports of a step that asks git, by the elements with git's answers."""


APPLIES: Final = {
    "skills.planner.orchestrator.executor",
    "skills.planner.orchestrator.planner",
    "skills.planner.developer.exec_implement",
    "skills.planner.developer.exec_implement_execute",
}
"""The scripts of which a step applies approved diffs with git."""
APPLYING: Final = "atexit, hashlib, lib.workflow.ast.results, lib.workflow.state.git, lib.workflow.cli.table.requests, shutil, subprocess, tempfile"


@cache
def warm(module: str) -> Warm:
    """Return a process that has imported a script, and runs each of its steps from there."""
    process = Warm(module)
    atexit.register(process.__exit__, None, None, None)
    return process


@pytest.mark.parametrize("command", of_each_step(), ids=shown)
def test_step_imports_only_the_listed_modules(command: Command) -> None:
    package = skill_of(command.module)
    document = printed()[command]
    tags = {node.tag for node in walk(document)}
    more = {module for tag, modules in FOR.items() if tag in tags for module in modules}
    workflow = PROOF.targets.workflows[command.module]
    more |= {type(step.kind).__module__ for step in workflow.steps.values()}  # of handlers that only some have
    if workflow.steps[PROOF.targets.step(command)].changes_state:
        more |= imported_by("lib.workflow.state.step_lock")
    PROOF.stage.ready(workflow, PROOF.targets.step(command))
    given = PROOF.targets.given(command)
    home = {"XDG_STATE_HOME": os.environ["XDG_STATE_HOME"]}
    came = warm(command.module).start((command.module, *command.words), home, given).ended()
    assert came.status == status_of(document), came
    own = {name for name in came.modules if not belongs(name, package)}
    for names in (
        OF.get(package),
        APPLYING if command.module in APPLIES else None,
        *(GIT[tag] for tag in sorted(tags & GIT.keys())),
    ):
        more |= imported_by(names) if names else frozenset()
    assert own - brought() <= OURS | more
    assert not (own - more) & HEAVY


def skill_of(module: str) -> str:
    """Return the package of the script's skill; for a workflow of the tests, the script's own."""
    return ".".join(module.split(".")[:2]) if module.startswith("skills.") else module.rpartition(".")[0]


def belongs(module: str, package: str) -> bool:
    """Return True if the module is the skill's own, or a package around it."""
    return module == package or module.startswith(f"{package}.") or package.startswith(f"{module}.")
