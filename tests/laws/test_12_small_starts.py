"""Law 12: a step imports what it uses. This list is the whole of it."""

import subprocess
import sys
from typing import Final

import pytest

from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command
from tests.subjects import ROOT, of_each_step, printed

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
        ".output",
        ".parameters",
        ".prompts",
        ".reach",
        ".records",
        ".render",
        ".render.describe",
        ".render.layout",
        ".render.xml",
        ".shell",
        ".slots",
        ".steps",
        ".types",
    )
) | {"lib"}
DISPATCH: Final = OURS | {"lib.workflow.ast.dispatch", "lib.workflow.template"}
"""What a step may import besides, when it dispatches."""
BROUGHT: Final = "import argparse, attrs, runpy"
"""What a step stands on; all that these import, a step may."""
MORE: Final = frozenset({"_locale", "errno", "gettext", "locale"})
"""What argparse imports when it is used."""
HEAVY: Final = frozenset({"lxml", "pathlib", "json", "dataclasses", "importlib.metadata", "shutil", "rich", "difflib"})
"""Not on the way of any step, whoever brings it."""


def imported(*arguments: str) -> set[str]:
    """The modules that a process imports, itself aside."""
    command = [sys.executable, "-P", "-X", "importtime", *arguments]
    run = subprocess.run(command, capture_output=True, cwd="/", env={"PYTHONPATH": ROOT}, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stderr
    return {line.rpartition("|")[2].strip() for line in run.stderr.splitlines()[1:] if line.startswith("import time:")}


@pytest.fixture(scope="module")
def brought() -> set[str]:
    return imported("-c", BROUGHT)


@pytest.mark.parametrize("command", of_each_step(), ids=str)
def test_a_step_imports_what_is_listed_and_no_more(command: Command, brought: set[str]) -> None:
    package = command.module.rpartition(".")[0]
    dispatches = "subagent_dispatch" in {node.tag for node in walk(printed()[command])}
    own = {name for name in imported("-m", command.module, *command.words) if not belongs(name, package)}
    assert own - brought - MORE <= (DISPATCH if dispatches else OURS)
    assert not own & HEAVY


def belongs(module: str, package: str) -> bool:
    """Whether the module is the skill's own, or a package around it."""
    return module == package or module.startswith(f"{package}.") or package.startswith(f"{module}.")
