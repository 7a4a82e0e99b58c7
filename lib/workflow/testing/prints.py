"""Checks of the rules for every page, for any parameters (laws 1, 2, 5 and 7)."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from attrs import evolve

from ..ast.nodes import Document, FileContent
from ..ast.parse import parse
from ..ast.step import Complete, InvokeAfter
from ..ast.visitor import walk
from ..ast.vocabulary import Vocabulary, is_foreign, validate
from ..command import Command
from ..command.quoting import join
from ..core import Task, Workflow
from ..errors import RefusedError, UsageError
from ..render.document import render_document
from ..render.xml import render
from .findings import Fault, Finding
from .targets import Targets, commands_in, rehearsed

MAX_CHARACTERS = 10_000
"""Maximum characters of a page, without embedded files; clients cut longer output."""
OPENING: Final = "/usr/bin/python3 -I -m"
ROOT: Final = "/tmp/stepscript"  # noqa: S108 - a text, and no file
"""Replacements for this machine's interpreter and the stage's path when a page's length is measured."""
Tell: TypeAlias = Callable[[str], None]
"""Receiver of the current activity, for the user who waits."""


class Prints:
    """The pages of commands, each made once, and their findings."""

    def __init__(self, targets: Targets, tell: Tell) -> None:
        self.targets = targets
        self._tell = tell
        self.documents: dict[Command, Document] = {}
        self._findings: dict[Command, tuple[Finding, ...]] = {}

    def of(self, command: Command) -> Document | None:
        """Return the page of a command; None if it prints nothing, which is among its findings."""
        if command not in self.documents and command not in self._findings:
            workflow = self.targets.workflows[command.module]
            step_id = self.targets.step(command)
            self._tell(f"{workflow.name}: step {workflow.number(step_id)} of {workflow.total_steps}")
            try:
                self.documents[command] = self.targets.document(command)
            except (RefusedError, UsageError) as error:
                self._findings[command] = self._found(command, [(Fault.CALL, str(error))])
            except Exception as error:  # a handler may raise any error
                self._findings[command] = self._found(command, [(Fault.BROKEN, f"{type(error).__name__}: {error}")])
        return self.documents.get(command)

    def findings(self, command: Command) -> tuple[Finding, ...]:
        """Return the findings about the page of a workflow's command."""
        document = self.of(command)
        if document is not None and command not in self._findings:
            workflow = self.targets.workflows[command.module]
            self._findings[command] = self._found(command, self._tried(command, document, workflow))
        return self._findings[command]

    def length(self, document: Document) -> int:
        """Return the characters of a page, without embedded files.

        The interpreter and the stage count as if they had short paths.
        """
        embedded = sum(len(node.text) for node in walk(document) if isinstance(node, FileContent))
        text = render(document).replace(self.targets.stage.root, ROOT)
        for opening in {join((*command.launcher, "-m")) for command in commands_in(document)}:
            text = text.replace(opening, OPENING)
        return len(text) - embedded

    def _found(self, command: Command, faults: Iterable[tuple[Fault, str]]) -> tuple[Finding, ...]:
        where = f"step {self.targets.step(command)}, `{self.targets.stage.shown(command)}`"
        name = self.targets.workflows[command.module].name
        return tuple(Finding(fault, name, where, what) for fault, what in faults)

    def _tried(self, command: Command, document: Document, workflow: Workflow) -> Iterator[tuple[Fault, str]]:
        yield from _of_form(document, workflow)
        yield from self._of_length(document)
        yield from self._of_longest_list(command, workflow)
        yield from _of_ending(document)
        yield from self._of_commands(document)
        yield from self._of_repeat(command, document, workflow)
        yield from self._of_relative(command, document)

    def _of_length(self, document: Document, when: str = "") -> Iterator[tuple[Fault, str]]:
        length = self.length(document)
        if length > MAX_CHARACTERS:
            yield Fault.LENGTH, f"{length:,} characters{when}; clients cut output after {MAX_CHARACTERS:,}"

    def _of_longest_list(self, command: Command, workflow: Workflow) -> Iterator[tuple[Fault, str]]:
        """Check the length of a page with the longest legal list, because a step prints each entry."""
        call = rehearsed(workflow, command.words)
        roster = workflow.step(call.step).kind.roster
        if roster:
            tasks = tuple(Task(f"agent-{number}", "x" * roster.characters) for number in range(roster.most))
            longest = workflow.run(call.step, evolve(call.context, tasks=tasks))
            yield from self._of_length(longest, f" with {roster.most} tasks of {roster.characters:,} characters")

    def _of_commands(self, document: Document) -> Iterator[tuple[Fault, str]]:
        for command in commands_in(document):
            try:
                self.targets.accept(command)
            except Exception as error:
                yield Fault.REFUSED, f"{command}: {error}"

    def _of_repeat(self, command: Command, document: Document, workflow: Workflow) -> Iterator[tuple[Fault, str]]:
        stage = self.targets.stage
        definition = workflow.steps[self.targets.step(command)]
        stage.ready(workflow, definition.id)
        states = [stage.contents()]
        for _ in range(2):
            again = workflow.run(definition.id, rehearsed(workflow, command.words).context)
            states.append(stage.contents())
            if again != document:
                yield Fault.REPEAT, "with the same state, it must print the same page"
                return
        first = 1 if definition.changes_state else 0
        if any(state != states[first] for state in states[first:]):
            yield Fault.STATE, "set `changes_state=True` on a step that must change it; it may change it once"

    def _of_relative(self, command: Command, document: Document) -> Iterator[tuple[Fault, str]]:
        """Check that the page is the same for a relative path, because commands carry whole paths."""
        if self.targets.relatively(command) not in (None, document):
            yield Fault.RELATIVE, "it must print the same page; declare each path parameter with `Arg(path=True)`"


def _of_form(document: Document, workflow: Workflow) -> Iterator[tuple[Fault, str]]:
    printed = render(document)
    try:
        vocabulary = Vocabulary(workflow.tags)
        validate(document, vocabulary)
        render_document(document, vocabulary=vocabulary)
        again = parse(printed)
        foreign = any(map(is_foreign, walk(document)))  # such nodes read back as elements
        if render(again) != printed if foreign else again != document:
            yield Fault.FORM, "it does not read back as the same tree"
    except ValueError as error:
        yield Fault.FORM, str(error)


def _of_ending(document: Document) -> Iterator[tuple[Fault, str]]:
    endings = [block for block in document.blocks if isinstance(block, (InvokeAfter, Complete))]
    if len(endings) != 1 or endings[0] is not document.blocks[-1]:
        yield Fault.ENDING, "only its last block must name the next command, or say that this is the end"
