"""A workflow walked to its end: each printed command is run as a process, and each print is read back."""

import subprocess
import sys
from typing import TextIO

from ..ast.nodes import Document
from ..ast.parse import ParseError, parse
from ..ast.step import InvokeAfter, StepHeader
from ..cli import read_call
from ..command import Command
from ..core import Workflow
from ..render.text import render_text
from ..render.xml import render
from ..types import Confidence, Outcome
from .starts import start

MAX_STEPS = 200
"""Longer than any workflow within its loop limits; a demo that gets here has found a loop."""

_BOLD, _GREEN, _DIM, _END = "\033[1m", "\033[32m", "\033[2m", "\033[0m"


class DemoError(RuntimeError):
    """A print that is not what was rendered, or a command that does not run."""


def demo(workflow: Workflow, out: TextIO | None = None) -> int:
    """Walks the workflow and shows each step as text. Returns 0 at its end, 1 where a print or a command fails."""
    walk = _Walk(workflow, out or sys.stdout)
    try:
        walk.to_end()
    except (DemoError, ParseError) as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    return 0


class _Walk:
    """The agent of the demo: it does no work, and claims a confidence that rises with every round."""

    def __init__(self, workflow: Workflow, out: TextIO) -> None:
        self.workflow = workflow
        self.out = out
        self.colour = out.isatty()
        self.levels = iter(Confidence)

    def to_end(self) -> None:
        command = start(self.workflow)
        for count in range(1, MAX_STEPS + 1):
            document = self.printed(command)
            self.show(command, document)
            after = document.blocks[-1]
            if not isinstance(after, InvokeAfter):
                self.say(f"{count} steps; every print was read back as the tree that was rendered.")
                return
            command = self.choose(document, after)
        raise DemoError(f"no end after {MAX_STEPS} steps")

    def printed(self, command: Command) -> Document:
        """What the command prints, read back; it is run by a shell, from the root folder, as it stands."""
        run = subprocess.run(["/bin/sh", "-c", str(command)], capture_output=True, cwd="/", check=False)
        text = run.stdout.decode().removesuffix("\n")
        if run.returncode != 0:
            raise DemoError(f"exit status {run.returncode} from {command}\n{text}{run.stderr.decode()}")
        document = parse(text)
        if document != self.rendered(command) or render(document) != text:
            raise DemoError(f"the print of {command} does not read back as what was rendered")
        return document

    def rendered(self, command: Command) -> Document:
        """The tree that the command renders, made here."""
        call = read_call(self.workflow, command.words)
        return self.workflow.run(call.step, call.context)

    def choose(self, document: Document, after: InvokeAfter) -> Command:
        """The command that is due. Where the agent is asked, the demo claims the next level of confidence."""
        if after.invoke is not None:
            return after.invoke.command
        header = next(block for block in document.blocks if isinstance(block, StepHeader))
        level = (
            next(self.levels, Confidence.CERTAIN)
            if "confidence" in self.workflow.step(header.step).parameters
            else None
        )
        branch = after.branches[0]
        if level is not None:
            wanted = self.claimed(header.step, level)
            branch = next((way for way in after.branches if way.outcome is wanted), branch)
        claim = f"at confidence {level}, " if level else ""
        self.say(f"{claim}{branch.when}: {branch.outcome}")
        return branch.invoke.command

    def claimed(self, step: int, level: Confidence) -> Outcome | None:
        """The outcome that the workflow itself gives to a level."""
        result = self.workflow.outcomes(step, self.workflow.context(step, {"confidence": level}))
        return result[0] if isinstance(result, tuple) else None

    def show(self, command: Command, document: Document) -> None:
        """The command and what it printed, as text."""
        print(self.painted(f"$ {command}", _DIM), file=self.out)
        command_lines = False
        for line in render_text(document).split("\n"):
            if line and not line.startswith(" "):
                command_lines = line.startswith("NEXT")
                line = self.painted(line, _BOLD)
            elif command_lines:
                line = self.painted(line, _GREEN)
            print(line, file=self.out)
        print(file=self.out, flush=True)

    def say(self, text: str) -> None:
        """A word of the demo itself."""
        print(self.painted(f"-- {text}\n", _DIM), file=self.out, flush=True)

    def painted(self, text: str, style: str) -> str:
        """The text in a style, where a terminal shows it."""
        return f"{style}{text}{_END}" if self.colour and text else text
