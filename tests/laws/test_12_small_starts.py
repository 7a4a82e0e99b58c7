"""Law 12: a step imports what it uses. This list is the whole of it."""

import subprocess
import sys
from typing import Final

import pytest

from lib.workflow.ast.visitor import walk
from lib.workflow.cli import status_of
from lib.workflow.command import Command
from tests.subjects import PROOF, ROOT, of_each_step, printed

OURS: Final = frozenset(
    f"lib.workflow{name}"
    for name in (
        "",
        ".ast",
        ".ast.declare",
        ".ast.nodes",
        ".ast.step",
        ".ast.visitor",
        ".characters",
        ".checks",
        ".cli",
        ".command",
        ".core",
        ".errors",
        ".launch",
        ".output",
        ".pages",
        ".parameters",
        ".prompts",
        ".reach",
        ".records",
        ".render",
        ".render.describe",
        ".render.layout",
        ".render.xml",
        ".roster",
        ".rounds",
        ".script",
        ".shell",
        ".slots",
        ".steps",
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
OF: Final = {"skills.refactor": "random, skills.conventions.categories"}
"""What the steps of a skill may import besides, with all that it imports: data that skills share, and what draws from it."""
BROUGHT: Final = "import argparse, attrs, runpy"
"""What a step stands on; all that these import, a step may."""
MORE: Final = frozenset({"_locale", "errno", "gettext", "locale"})
"""What argparse imports when it is used."""
HEAVY: Final = frozenset(
    {"lxml", "click", "pathlib", "json", "dataclasses", "importlib.metadata", "shutil", "rich", "difflib"}
)
"""Not on the way of any step, whoever brings it."""


def imported(*arguments: str, status: int = 0, given: str = "") -> set[str]:
    """The modules that a process imports, itself aside. It must end with the exit status."""
    command = [sys.executable, "-P", "-X", "importtime", *arguments]
    run = subprocess.run(
        command, capture_output=True, cwd="/", env={"PYTHONPATH": ROOT}, encoding="utf-8", check=False, input=given
    )
    assert run.returncode == status, run.stdout
    return {line.rpartition("|")[2].strip() for line in run.stderr.splitlines()[1:] if line.startswith("import time:")}


@pytest.fixture(scope="module")
def brought() -> set[str]:
    return imported("-c", BROUGHT)


@pytest.mark.parametrize("command", of_each_step(), ids=str)
def test_a_step_imports_what_is_listed_and_no_more(command: Command, brought: set[str]) -> None:
    package = command.module.rpartition(".")[0]
    document = printed()[command]
    tags = {node.tag for node in walk(document)}
    more = {module for tag, modules in FOR.items() if tag in tags for module in modules}
    PROOF.stage.ready(PROOF.targets.workflows[command.module], PROOF.targets.step(command))
    given = PROOF.targets.given(command)
    modules = imported("-m", command.module, *command.words, status=status_of(document), given=given)
    own = {name for name in modules if not belongs(name, package)}
    more |= imported("-c", f"import {OF[package]}") if package in OF else set()
    assert own - brought - MORE <= OURS | more
    assert not own & HEAVY


def belongs(module: str, package: str) -> bool:
    """Whether the module is the skill's own, or a package around it."""
    return module == package or module.startswith(f"{package}.") or package.startswith(f"{module}.")
