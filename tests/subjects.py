"""Subjects of the laws, found automatically: every workflow, every printed command, and its page."""

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
    """Return a command that starts a workflow."""
    return next(case.command for case in PROOF.cases[workflow.name] if case.step_id == workflow.entry_point)


@cache
def printed() -> Mapping[Command, Document]:
    """Return every command that can occur, from the first of each workflow, and its page."""
    return {command: PROOF.prints.documents[command] for command in PROOF.commands}


def pages(workflow: Workflow) -> tuple[Document, ...]:
    """Return every page that a workflow can print."""
    found = tuple(document for command, document in printed().items() if command.module == workflow.module)
    assert found
    return found


@cache
def of_each_step() -> tuple[Command, ...]:
    """Return one command of every step of every workflow: the first that occurs."""
    firsts: dict[tuple[str, str], Command] = {}
    for command in printed():
        firsts.setdefault((command.module, PROOF.targets.step(command)), command)
    return tuple(firsts.values())


def shown(command: Command) -> str:
    """Return the command as the id of a test, the same in every run."""
    return PROOF.stage.shown(command)


def run(command: Command, cwd: str = "/", **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run the command as an agent does: unchanged in a shell, with the list that it reads if a step printed it."""
    return subprocess.run(
        ["/bin/sh", "-c", str(command)],
        capture_output=True,
        cwd=cwd,
        env={**os.environ, **environment},
        encoding="utf-8",
        check=False,
        input=PROOF.targets.given(command) if command in printed() else "",
    )
