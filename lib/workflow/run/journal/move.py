"""The records of an earlier session, rewritten for the folder and the interpreter of a later one."""

import os
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from attrs import evolve, fields, frozen

from ...ast.fields import Node
from ...ast.nodes import Document
from ...ast.parse import ParseError, parse
from ...command import Command
from ...command.quoting import ShellError, join, quote, split
from ...command.template import CommandTemplate
from ...render.xml import render
from ...state.run_dirs import HOME
from .entry import Entry, Event
from .spec import Session, Spec

RUNS: Final = "runs"


@frozen(kw_only=True)
class Move:
    """The change from one session to another. Equal sessions change nothing."""

    folders: tuple[tuple[str, str], ...]
    """Old and new folders: the run's, and the project's that holds it."""
    launchers: tuple[tuple[str, ...], tuple[str, ...]]

    @classmethod
    def between(cls, then: Session, now: Session) -> "Move":
        """Return the change between two sessions. Another path to the same folder is not a change."""
        launchers = (then.launcher or now.launcher, now.launcher)
        if os.path.realpath(then.folder) == os.path.realpath(now.folder):
            return cls(folders=(), launchers=launchers)
        pairs = [(then.folder, now.folder), (_project_of(then.folder), _project_of(now.folder))]
        moved = tuple((old, new) for old, new in pairs if old and new and old != new)
        return cls(folders=moved, launchers=launchers)

    @property
    def is_none(self) -> bool:
        """Return True if nothing has moved."""
        return not self.folders and self.launchers[0] == self.launchers[1]

    def entry(self, entry: Entry) -> Entry:
        """Return an old entry rewritten for now."""
        if self.is_none:
            return entry
        is_page = entry.event in (Event.STEP, Event.ASKED, Event.ANSWERED)
        command = str(self.command(Command.read(entry.command))) if entry.command else ""
        text = self.page(entry.text) if is_page else self.text(entry.text)
        return evolve(entry, command=command, text=text, errors=self.text(entry.errors))

    def spec(self, spec: Spec) -> Spec:
        """Return the specification rewritten for now, except its interpreter: each session uses its own."""
        if not self.folders:
            return spec
        stays = evolve(self, launchers=(self.launchers[1],) * 2)
        start = str(stays.command(Command.read(spec.start)))
        agent, *agents = (self._words(text, stays) for text in (spec.agent, *spec.agents))
        return evolve(spec, start=start, agent=agent, agents=tuple(agents), request=stays.text(spec.request))

    def _words(self, text: str, stays: "Move") -> str:
        """Return the words of a program rewritten for now."""
        try:
            return join(list(map(self.word, split(text))))
        except ShellError:
            return stays.text(text)

    def page(self, text: str) -> str:
        """Return a page as it would be printed now; other texts are rewritten as texts."""
        try:
            before = parse(text)
        except ParseError:
            return self.text(text)
        after = self._value(before)
        assert isinstance(after, Document)
        return text if after == before else render(after)

    def command(self, command: Command) -> Command:
        """Return a command as it would be printed now."""
        return Command(command.module, [self.word(word) for word in command.words], self._launcher(command.launcher))

    def word(self, word: str) -> str:
        """Return a word of a command; a path in it may be the value of a flag, `--flag=PATH`."""
        for old, new in self.folders:
            flag, equals, value = word.partition("=") if word.startswith("--") else ("", "", word)
            if value == old or value.startswith(old + os.sep):
                return f"{flag}{equals}{new}{value[len(old) :]}"
        return word

    def text(self, text: str) -> str:
        """Return a text with current paths and commands, quoted for a shell as necessary."""
        then, now = map(join, self.launchers)
        mentions = any(old in text or _inner(old) in text for old, _ in self.folders)
        if not mentions and (then == now or then not in text):
            return text
        finds = _finder(then if then != now else "", tuple(old for old, _ in self.folders))
        return finds.sub(lambda found: self._put(found) if found["word"] or found["path"] else f"{now} -m ", text)

    def _put(self, found: "re.Match[str]") -> str:
        """Return the replacement of a path.

        It is shell-quoted as a word of a command, and unchanged in quotes, code and prose.
        """
        word, path, below = found["word"], found["path"], found["below"]
        old, new = next(pair for pair in self.folders if (word or path) in (pair[0], _inner(pair[0])))
        if word is not None:
            return quote(new + found["under"])
        text = found.string
        before, after = text[: found.start()][-1:], text[found.end() : found.end() + 1]
        if before == "'":
            return _inner(new) + below
        is_whole = len(found[0]) == len(text)
        is_prose = is_whole or before == '"' or before == after == "`" or quote(old) != old
        return new + below if is_prose else quote(new + below)

    def _launcher(self, words: tuple[str, ...]) -> tuple[str, ...]:
        return self.launchers[1] if words == self.launchers[0] else words

    def _value(self, value: object) -> object:
        """Return a node, or the value of a field, rewritten for now."""
        match value:
            case str():
                return self.text(value)
            case tuple():
                return tuple(map(self._value, value))
            case Command():
                return self.command(value)
            case CommandTemplate():
                words = [self.word(word) if isinstance(word, str) else word for word in value.words]
                return CommandTemplate(value.module, words, self._launcher(value.launcher))
            case Node():
                build: Callable[..., Node] = type(value)
                names = [each.name for each in fields(type(value)) if each.init]
                return build(**{name: self._value(getattr(value, name)) for name in names})
            case _:
                return value


def _project_of(run: str) -> str:
    """Return the project whose own folder of runs holds a run; empty if it is elsewhere."""
    home, runs = os.path.split(os.path.dirname(run))
    return os.path.dirname(home) if (os.path.basename(home), runs) == (HOME, RUNS) else ""


def _inner(path: str) -> str:
    """Return the path as written inside the quotes that it needs."""
    quoted = quote(path)
    return quoted if quoted == path else quoted[1:-1]


@lru_cache(64)
def _finder(launcher: str, folders: tuple[str, ...]) -> "re.Pattern[str]":
    """Return a pattern for the launcher's commands, and for paths in the folders that are not part of a longer name.

    A `word` is a path that fills the space between two quotes, with its rest in `under`.
    """
    every = sorted({form for folder in folders for form in (folder, _inner(folder))}, key=len, reverse=True)
    forms, below = "|".join(map(re.escape, every)) or "(?!)", r"(?![\w-]|\.\w)"
    command = f"{re.escape(launcher)} -m " if launcher else "(?!)"
    word = rf"'(?P<word>{forms}){below}(?P<under>[\w@%+=:,./ -]*)'"
    path = rf"(?P<path>{forms}){below}(?P<below>(?:[\w@%+=:,./-]*[\w/])?)"
    return re.compile(rf"(?<![\w.~/-])(?:{command}|{word}|{path})", re.ASCII)
