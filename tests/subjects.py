"""What the laws are about, found by itself: every workflow, every command that one prints, and what it prints."""

import os
import subprocess
from collections.abc import Mapping
from functools import cache
from typing import Final

from lib.workflow.ast.nodes import Document
from lib.workflow.command import Command
from lib.workflow.core import Workflow
from lib.workflow.testing.proof import proof_of
from tests.conftest import stepscript_packages

ROOT: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROOF: Final = proof_of(*stepscript_packages)
WORKFLOWS: Final = PROOF.workflows


def first(workflow: Workflow) -> Command:
    """A command that starts a workflow."""
    return next(case.command for case in PROOF.cases[workflow.name] if case.step_id == workflow.entry_point)


@cache
def printed() -> Mapping[Command, Document]:
    """Every command that can come up, from the first of each workflow, and what it prints."""
    return {command: PROOF.prints.documents[command] for command in PROOF.commands}


@cache
def of_each_step() -> tuple[Command, ...]:
    """One command of every step of every workflow: the first that comes up."""
    firsts: dict[tuple[str, str], Command] = {}
    for command in printed():
        firsts.setdefault((command.module, PROOF.targets.step(command)), command)
    return tuple(firsts.values())


def shown(command: Command) -> str:
    """The command as the id of a test, the same in every run."""
    return PROOF.stage.shown(command)


def run(command: Command, cwd: str = "/", **environment: str) -> "subprocess.CompletedProcess[str]":
    """The command as an agent runs it: by a shell, as it stands, with the list that it reads if a step printed it."""
    return subprocess.run(
        ["/bin/sh", "-c", str(command)],
        capture_output=True,
        cwd=cwd,
        env={**os.environ, **environment},
        encoding="utf-8",
        check=False,
        input=PROOF.targets.given(command) if command in printed() else "",
    )
