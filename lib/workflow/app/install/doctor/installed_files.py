"""The doctor's checks of installed files: their versions, their Python, the clients' settings."""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

from ....command import Command, CommandError
from ....command.quoting import join
from ....errors import RefusedError, UsageError
from ...skills.start_commands import SKILL
from ..changes import BY_HAND, Change, ChangeKind
from ..clients import Scope
from ..distribution import sources
from ..host import starter
from ..launcher import launcher
from ..tree import Tree
from ..upgrade.recovery import known
from ..work import Asked, planned
from .findings import Finding, State

_COMMAND: Final = re.compile(r"^ {4}(\S[^\r\n]* -m [\w.]+)", re.MULTILINE)


def installed(project: Tree, home: Tree) -> Iterator[Finding]:
    """Yield the findings on each installation."""
    found = False
    for scope, tree in ((Scope.PROJECT, project), (Scope.USER, home)):
        if tree is home and home.root == project.root:
            continue
        place = "--scope user" if scope is Scope.USER else f"--project {join([tree.root])}"
        subject, line = f"skills ({scope})", f"stepscript install {place}"
        try:
            if known(tree) is None:
                continue
            found = True
            every = planned(tree, Asked(), scope)
        except RefusedError as error:
            yield Finding(subject, State.BAD, f"{error.target}: {error}", error.fix)
        except UsageError:  # an error of the launcher, which has its own finding
            continue
        else:
            yield from _permissions(every, line)
            yield from _files(tree, every, subject, line)
    if not found:
        yield Finding("skills", State.BAD, "not installed, neither in this project nor for you", "stepscript install")


def _files(tree: Tree, every: Iterable[Change], subject: str, line: str) -> Iterator[Finding]:
    gone = _missing_pythons(tree, every)
    drift = [change for change in every if change.kind not in (ChangeKind.SAME, ChangeKind.EDITED)]
    old = [change for change in drift if change.kind is not ChangeKind.KEPT]
    kept = [change.path for change in drift if change.kind is ChangeKind.KEPT]
    if gone:
        yield Finding(subject, State.BAD, f"they name a Python that is gone: {', '.join(gone)}", line)
    elif old:
        yield Finding(subject, State.BAD, f"{len(old)} of the files are missing or of another version", line)
    if not starter.is_current(launcher(sources())):
        what = f"their launcher, {starter.path()}, is missing or of another version"
        yield Finding(subject, State.BAD, what, line)
    if kept:
        yield Finding(subject, State.NOTE, f"changed by you, and not upgraded: {', '.join(kept)}", f"{line} --merge")
    edited = [change.path for change in every if change.kind is ChangeKind.EDITED]
    if edited:
        yield Finding(subject, State.NOTE, f"changed by you, up to date with ours: {', '.join(edited)}")
    if not drift:
        yield Finding(subject, State.GOOD, f"up to date, in {tree.root}")


def _missing_pythons(tree: Tree, every: Iterable[Change]) -> tuple[str, ...]:
    """Return the interpreters that installed skill files name, and that no longer exist."""
    files = [tree.read(change.path) or b"" for change in every if change.path.endswith(f"/{SKILL}")]
    commands = [line for data in files for line in _COMMAND.findall(data.decode(errors="replace"))]
    named: set[str] = set()
    for line in dict.fromkeys(commands):
        with suppress(CommandError):
            named.update(filter(os.path.isabs, Command.read(line).launcher[:2]))
    return tuple(sorted(path for path in named - {starter.path()} if not os.path.exists(path)))


def _permissions(every: Iterable[Change], line: str) -> Iterator[Finding]:
    """Check each client's settings for our entries: the rule for our commands, the hook."""
    for change in every:
        if change.joined is None:
            continue
        if change.kind is ChangeKind.SAME:
            yield Finding("permissions", State.GOOD, f"{change.path} has the entries of stepscript")
        else:
            why = change.why.partition(BY_HAND)[0]
            what = f"{change.path}: {why}" if why else f"{change.path} lacks the rule or the hook"
            yield Finding("permissions", State.BAD, what, line)
