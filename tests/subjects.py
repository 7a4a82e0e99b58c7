"""What the laws are about, found by itself: every workflow, every command that one prints, and what it prints."""

import os
import subprocess
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from lib.workflow.ast.dispatch import TemplateDispatchNode
from lib.workflow.ast.nodes import Document
from lib.workflow.ast.step import Invoke
from lib.workflow.ast.visitor import walk
from lib.workflow.cli import read_call
from lib.workflow.command import Command
from lib.workflow.core import Workflow
from lib.workflow.discovery import Found, search
from lib.workflow.parameters import Value

ROOT: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HOSTILE_DIR: Final = "/tmp/a b'c$HOME é"
"""A state directory that every quoting mistake trips over."""


class Printed(NamedTuple):
    """A command, and the document that it prints."""

    workflow: Workflow
    command: Command
    document: Document


@cache
def found() -> tuple[Found, ...]:
    """Every workflow of the project, and those of the tests."""
    skills, broken = search("skills")
    ours, broken_too = search("tests.workflows")
    assert not [*broken, *broken_too]
    return (*skills, *ours)


WORKFLOWS: Final = tuple(item.workflow for item in found())
HOMES: Final[Mapping[str, Workflow]] = {workflow.module: workflow for workflow in WORKFLOWS}
"""By the module that the commands run."""


def first(workflow: Workflow) -> Command:
    """The command that starts a workflow, told whatever its first step requires."""
    values: dict[str, Value] = {"state_dir": HOSTILE_DIR} if "state_dir" in workflow.parameters else {}
    return workflow.command(workflow.entry_point, values)


def document_of(command: Command) -> Document:
    """What a command prints, made in this process through its target's own parser."""
    workflow = HOMES[command.module]
    call = read_call(workflow, command.words)
    return workflow.run(call.step, call.context)


def commands_in(document: Document) -> list[Command]:
    """Every command that a document holds, those to which its dispatches expand too."""
    single = [node.command for node in walk(document) if isinstance(node, Invoke)]
    many = [node.expand() for node in walk(document) if isinstance(node, TemplateDispatchNode)]
    return single + [assignment.command for assignments in many for assignment in assignments]


@cache
def printed() -> Mapping[Command, Document]:
    """Every command that can come up, from the first of each workflow, and what it prints."""
    waiting = [first(workflow) for workflow in WORKFLOWS]
    seen: dict[Command, Document] = {}
    while waiting:
        command = waiting.pop()
        if command not in seen:
            seen[command] = document_of(command)
            waiting += commands_in(seen[command])
    return seen


def run(command: Command, cwd: str = "/", **environment: str) -> "subprocess.CompletedProcess[str]":
    """The command as an agent runs it: by a shell, as it stands. The tests' workflows are found by PYTHONPATH."""
    return subprocess.run(
        ["/bin/sh", "-c", str(command)],
        capture_output=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": ROOT, **environment},
        encoding="utf-8",
        check=False,
    )
