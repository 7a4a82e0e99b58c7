"""A workflow walked to its end: each printed command is run as a process, and each print is read back."""

import subprocess
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..ast.nodes import Document
from ..ast.parse import ParseError, parse
from ..ast.step import Branch, InvokeAfter, StepHeader
from ..calls import read_call, status_of
from ..command import Command
from ..core import Workflow
from ..render.xml import render
from ..types import Confidence, Outcome
from .starts import start

MAX_STEPS = 200
"""Longer than any workflow within its loop limits; a demo that gets here has found a loop."""
CLAIM: Final = "confidence"
"""The parameter by which a step is told how sure the agent is; the demo claims more with every round."""


class DemoError(RuntimeError):
    """A print that is not what was rendered, or a command that does not run."""


class Shown(NamedTuple):
    """One step of a demo."""

    command: Command
    document: Document
    choice: str
    """What the demo answers, where the step asks."""


def demo(workflow: Workflow) -> Iterator[Shown]:
    """The steps of one walk. Raises DemoError where a print or a command fails.

    It ends at the end of the workflow, or where another script takes over.
    """
    command = start(workflow)
    levels = iter(Confidence)
    for _ in range(MAX_STEPS):
        document = _printed(workflow, command)
        after = document.blocks[-1]
        if not isinstance(after, InvokeAfter):
            yield Shown(command, document, "")
            return
        if after.invoke is not None:
            following, choice = after.invoke.command, ""
        else:
            branch, choice = _chosen(workflow, document, after, levels)
            following = branch.invoke.command
        yield Shown(command, document, choice)
        if following.module != workflow.module:
            return
        command = following
    raise DemoError(f"no end after {MAX_STEPS} steps")


def _printed(workflow: Workflow, command: Command) -> Document:
    """What the command prints, read back; it is run by a shell, from the root folder, as it stands."""
    run = subprocess.run(["/bin/sh", "-c", str(command)], capture_output=True, cwd="/", check=False)
    text = run.stdout.decode().removesuffix("\n")
    try:
        document = parse(text)
        call = read_call(workflow, command.words)
        rendered = workflow.run(call.step, call.context)
    except (ParseError, ValueError) as error:
        raise DemoError(f"exit status {run.returncode} from {command}\n{error}\n{text}{run.stderr.decode()}") from None
    if run.returncode != status_of(rendered):
        raise DemoError(f"exit status {run.returncode} from {command}\n{run.stderr.decode()}")
    if document != rendered or render(document) != text:
        raise DemoError(f"the print of {command} does not read back as what was rendered")
    return document


def _chosen(
    workflow: Workflow, document: Document, after: InvokeAfter, levels: Iterator[Confidence]
) -> tuple[Branch, str]:
    """The branch that is taken, and why: where a step takes a confidence, the workflow itself says which it earns."""
    header = next(block for block in document.blocks if isinstance(block, StepHeader))
    branch, claim = after.branches[0], ""
    if CLAIM in workflow.step(header.step).parameters:
        level = next(levels, Confidence.CERTAIN)
        claim = f"at confidence {level}, "
        wanted = _earned(workflow, header.step, level)
        branch = next((way for way in after.branches if way.outcome is wanted), branch)
    return branch, f"{claim}{branch.when}" + (f": {branch.outcome}" if branch.outcome else "")


def _earned(workflow: Workflow, step: int, level: Confidence) -> Outcome | None:
    result = workflow.outcomes(step, workflow.context(step, {CLAIM: level}))
    return result[0] if isinstance(result, tuple) else None
