"""How much a workflow prints: each step, and a whole run with the agents that it launches."""

from collections.abc import Callable, Iterator
from typing import Final

from attrs import frozen

from ..ast.dispatch import assignments
from ..ast.nodes import Document
from ..ast.step import InvokeAfter, StepHeader
from ..command import Command
from ..discovery import Found
from ..render.xml import render
from ..testing.proof import Proof
from .shelves import package_of

FOLDER: Final = "/tmp/stepscript-xxxxxxxx"  # noqa: S108 - a name to be counted; nothing is written there


@frozen
class Printed:
    """How much was printed, in characters; a page is one print of one step."""

    pages: int
    characters: int

    def __add__(self, other: "Printed") -> "Printed":
        return Printed(self.pages + other.pages, self.characters + other.characters)


@frozen
class StepPrint:
    """What a step prints itself, and what the agents read that it launches."""

    number: int
    title: str
    characters: int
    agents: int
    launched: Printed


@frozen
class Measured:
    """One run, every step once, the first answer to every question: no review fails in it."""

    workflow: str
    steps: tuple[StepPrint, ...]

    @property
    def own(self) -> Printed:
        """What the workflow itself prints."""
        return Printed(len(self.steps), sum(step.characters for step in self.steps))

    @property
    def whole(self) -> Printed:
        """With all that its agents read."""
        return sum((step.launched for step in self.steps), self.own)


def measured(found: Found, tell: Callable[[str], None]) -> Measured:
    """Follows one way through the workflow. Raises ValueError where it cannot be started or followed."""
    with Proof(package_of(found), tell=tell) as proof:
        calls = proof.cases_of(found.workflow)
        start = next((call.command for call in calls if call.step_id == found.workflow.entry_point), None)
        if start is None:
            raise ValueError(f"{found.workflow.name} has no valid call of its first step")
        return Measured(found.workflow.name, tuple(_steps(proof, start)))


def _steps(proof: Proof, start: Command) -> Iterator[StepPrint]:
    for document in _way(proof, start):
        header = next(block for block in document.blocks if isinstance(block, StepHeader))
        launched = [_read(proof, assignment.command) for assignment in assignments(document)]
        size = _size(proof, document)
        yield StepPrint(header.step, header.title, size, len(launched), sum(launched, Printed(0, 0)))


def _read(proof: Proof, start: Command) -> Printed:
    """What one agent reads, from its first command to its end."""
    pages = [_size(proof, document) for document in _way(proof, start)]
    return Printed(len(pages), sum(pages))


def _size(proof: Proof, document: Document) -> int:
    """In characters, where the folder that it names is called as long on every system."""
    return len(render(document).replace(proof.stage.root, FOLDER))


def _way(proof: Proof, start: Command) -> Iterator[Document]:
    """The pages of one way: where somebody decides, the first answer that leads to no page seen before."""
    seen: set[Command] = set()
    waiting = [start]
    while waiting:
        command = waiting[0]
        seen.add(command)
        if command.module not in proof.targets.workflows:
            return
        document = proof.prints.of(command)
        if document is None:
            raise ValueError("; ".join(map(str, proof.prints.findings(command))))
        yield document
        after = document.blocks[-1]
        ways = after.branches if isinstance(after, InvokeAfter) else ()
        following = [after.invoke] if isinstance(after, InvokeAfter) and after.invoke else [way.invoke for way in ways]
        waiting = [invoke.command for invoke in following if invoke.command not in seen]
