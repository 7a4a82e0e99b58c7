"""One case, made from a number: a project, damage to it, a command line, and the checks of the result."""

import json
import os
import random
import re
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from attrs import frozen

from lib.workflow.app.conventions import is_json
from lib.workflow.app.install.manifest import Manifest
from lib.workflow.codec import codec
from lib.workflow.testing.process import Ran
from lib.workflow.util.output import DONE, INTERRUPTED, REFUSED, UNSAID, USAGE, WAITING
from skills.incoherence.record import Run as Search
from skills.planner.schema.context import Context
from skills.planner.schema.plan.document import Plan
from skills.planner.schema.review.document import Review
from skills.planner.schema.run import Run
from tests.fuzz import values
from tests.fuzz.folders import SETTINGS, Folders, chosen
from tests.fuzz.lines import Line, line
from tests.scripts import STEPSCRIPT, run_start
from tests.tables.found import TABLES

STATUSES: Final = frozenset({DONE, REFUSED, USAGE, WAITING, UNSAID, INTERRUPTED})
"""The statuses of the table in the README."""
CHANGING: Final = frozenset(found.table.module for found in TABLES)
"""Scripts whose refusal means that nothing was changed."""
SECONDS: Final = 10
LONGEST: Final = 60
"""Seconds of the second attempt."""
STATES: Final[Mapping[str, type[Any]]] = {
    "run.json": Run,
    "plan.json": Plan,
    "context.json": Context,
    "qr-*.json": Review,
    "incoherence.json": Search,
    "install.json": Manifest,
}
"""The class of each state file, by its name."""
VARIABLES: Final = (
    *(
        "COLUMNS",
        "LINES",
        "NO_COLOR",
        "FORCE_COLOR",
        "TERM",
        "WORKFLOW_PYTHON",
        "STEPSCRIPT_ROLE",
        "STEPSCRIPT_ATTEMPT",
    ),
    *("XDG_STATE_HOME", "XDG_CACHE_HOME", "HOME", "CLAUDE_PROJECT_DIR", "TMPDIR", "GIT_DIR", "TEMPORAL_NAMESPACE"),
)
"""Values of the environment, besides those of every case."""


@frozen(kw_only=True)
class Case:
    """The input of one case."""

    seed: int
    project: str
    agreed: bool
    damage: tuple[str, ...]
    line: Line
    variables: Mapping[str, str]

    def __str__(self) -> str:
        said = f"seed {self.seed}: {self.project}{' (agreed)' if self.agreed else ''}, {', '.join(self.damage) or 'sound'}\n"
        words = " ".join([*self.line.start, *(f"{word!r:.200}" for word in self.line.words)])
        return f"{said}  {words}\n  given {self.line.given!r:.200}, {dict(self.variables)!r:.300}"


class Played(NamedTuple):
    """The result of a case."""

    case: Case
    faults: list[str]
    status: int | None = None
    """None if it did not end."""
    written: int = 0
    """Number of state files that it changed, because a check of written files needs some."""


class HangError(BaseException):
    """A case that takes too long; none of our handlers catches it."""


def play(seed: int, folders: Folders, run: Callable[[Line], Ran] | None = None, seconds: int = SECONDS) -> Played:
    """Play the case of a number and return its faults. A slow case is played again, because the machine may be busy."""
    chance = random.Random(seed)
    name, agreed = chosen(chance), chance.random() < 0.8
    with _told(folders.programs, folders, {}):
        project = folders.fresh(name, agreed)
        damage = tuple(_damaged(project, folders, chance)) if chance.random() < 0.5 else ()
        if agreed and damage and chance.random() < 0.6:
            folders.agree()
    variables = {_variable(chance): values.word(chance) for _ in range(chance.choice((0, 0, 0, 1, 2)))}
    case = Case(seed=seed, project=name, agreed=agreed, damage=damage, line=line(chance, name), variables=variables)
    before = _states(project)
    try:
        with _told(project, folders, variables), _limited(seconds):
            ran = (run or _run_here)(case.line)
    except HangError:
        if seconds < LONGEST:
            return play(seed, folders, run, LONGEST)
        return Played(case, [f"it was at work after {SECONDS} seconds, and after {LONGEST} the next time"])
    except Exception as error:  # which no script lets out
        return Played(case, [f"{type(error).__name__}: {error}"])
    kept = ran.status == USAGE or (ran.status == REFUSED and case.line.start[-1] in CHANGING)
    faults = [
        *_faults(ran, "FORCE_COLOR" in variables),
        *_for_programs(case.line, ran),
        *_half_done(before, project, kept),
        *_outside(folders),
    ]
    return Played(case, faults, ran.status, sum(before.get(path) != data for path, data in _states(project).items()))


def _run_here(line_: Line) -> Ran:
    return run_start(line_.start, line_.words, line_.given)


def _variable(chance: random.Random) -> str:
    return chance.choice(VARIABLES)


def _damaged(project: Path, folders: Folders, chance: random.Random) -> Iterator[str]:
    """Damage one or two files or folders of the project's state."""
    places = [path for path in sorted((project / ".stepscript").rglob("*")) if not path.is_symlink()]
    places += [path for path in (project / SETTINGS,) if path.exists()]
    state = [path for path in places if path.suffix in (".json", ".jsonl") and path.stat().st_size]
    for _ in range(chance.choice((1, 1, 1, 2))):
        if not places:
            return
        path = chance.choice(state if state and chance.random() < 0.8 else places)
        yield f"{path.relative_to(project)}: {_damage(path, folders, chance)}"


def _damage(path: Path, folders: Folders, chance: random.Random) -> str:
    if not (path.is_file() or path.is_dir()):
        return "left"  # it is gone, or is a pipe already
    kind = chance.randrange(20)
    if path.is_dir():
        if kind < 16:
            return "left"
        path.rename(path.with_name(f"{path.name}.old-{len(list(path.parent.iterdir()))}"))
    elif kind < 16:
        path.write_bytes(values.changed(path.read_bytes(), chance))
        return "changed"
    else:
        path.unlink()
    match kind % 4:
        case 0:
            path.mkdir()
            return "a folder"
        case 1:
            path.symlink_to(folders.outside if chance.random() < 0.5 else folders.outside / "gone")
            return "a link"
        case 2:
            os.mkfifo(path)
            return "a pipe"
        case _:
            return "removed"


@contextmanager
def _told(project: Path, folders: Folders, variables: Mapping[str, str]) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project)
        for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "TMPDIR"):
            patch.setenv(name, str(folders.home))
        patch.setenv("PATH", str(folders.programs))
        patch.setattr("webbrowser.open", lambda *_, **__: True)
        for name, value in variables.items():
            with suppress(ValueError, UnicodeError):  # no system allows such a value in an environment
                patch.setenv(name, value)
        yield


@contextmanager
def _limited(seconds: int) -> Iterator[None]:
    def over(*_: object) -> None:
        raise HangError

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _faults(ran: Ran, coloured: bool) -> Iterator[str]:
    said = ran.out + ran.errors
    if ran.status not in STATUSES:
        yield f"exit status {ran.status}"
    for sign in ("Traceback (most", "internal-error", "internal error", "RecursionError"):
        if sign in said:
            at = said.index(sign)
            yield f"{sign}: {said[at : at + 300]!r}"
    errors = re.sub("\x1b\\[[0-9;]*m", "", ran.errors) if coloured else ran.errors
    raw = {char for char in errors if not (char.isprintable() or char in "\n\t")}
    if raw:
        yield f"standard error holds {sorted(raw)!r}"
    if ran.status == USAGE and not ran.errors.strip() and '"error"' not in ran.out:
        yield "wrong usage that nobody reports"
    if ran.status == REFUSED and not said.strip():
        yield "a refusal without a word"


def _for_programs(given: Line, ran: Ran) -> Iterator[str]:
    """Yield a fault if a command prints anything but JSON objects with the version of the format, although it must."""
    if given.start[1] != STEPSCRIPT or not is_json(given.words) or {"-h", "--help"} & {*given.words}:
        return
    objects = [ran.out] if ran.out.startswith("{\n") else ran.out.splitlines()
    for each in objects:
        if not (_is_json(each.encode(errors="replace")) and '"schema"' in each):
            yield f"it prints no JSON object: {each!r:.200}"
            return


def _states(project: Path) -> dict[Path, bytes]:
    found = {}
    for path in (project / ".stepscript").rglob("*"):
        if (
            path.is_file() and not path.is_symlink() and path.suffix in (".json", ".jsonl")
        ) or path.name == ".gitignore":
            with suppress(OSError):
                if path.is_file():
                    found[path] = path.read_bytes()
    return found


def _half_done(before: Mapping[Path, bytes], project: Path, kept: bool) -> Iterator[str]:
    """Yield faults of changed state: broken, or changed (`kept`) although the command says that nothing was."""
    for path in (project / ".stepscript").rglob(".*.tmp"):
        if re.fullmatch(r"\..+\.\d+-[0-9a-f]{8}\.tmp", path.name):
            yield f"{path.name} was left"
    for path, data in _states(project).items():
        if data != before.get(path):
            yield from (f"{path.relative_to(project)} {fault}" for fault in _broken(path, data, kept))


def _broken(path: Path, data: bytes, kept: bool) -> Iterator[str]:
    """Yield the faults of a file that was written."""
    if path.name == ".gitignore" and not data.strip():
        yield "is empty"
    last = data.splitlines()[-1:] if path.suffix == ".jsonl" else []
    if last and not _is_json(last[0]):
        yield f"ends in a malformed line: {last[0]!r:.100}"
    for cls in (cls for pattern, cls in STATES.items() if path.match(pattern)):
        if kept:
            yield "was changed by what was refused"
        try:
            codec(cls).loads(data)
        except ValueError as error:
            yield f"is written and broken: {error}"


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _outside(folders: Folders) -> Iterator[str]:
    held = sorted(path.name for path in folders.outside.iterdir())
    if held != ["theirs"] or (folders.outside / "theirs").read_text() != "theirs":
        yield f"written through a link: {held}"
