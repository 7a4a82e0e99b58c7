"""Command lines: the usual input of each script and command, and the same with faults."""

import random
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from lib.workflow.handlers.task_list import written
from tests.fuzz.folders import PLANNER, RUN
from tests.fuzz.values import text, word
from tests.scripts import STEPSCRIPT, run_start, starts
from tests.subjects import PROOF
from tests.tables.found import TABLES

NAME: Final = RUN.rpartition("/")[2]
_FLAG: Final = re.compile(r"(?<![-\w])--[a-z][-a-z]+")


class Line(NamedTuple):
    """A script or a command, its words, and its standard input."""

    start: tuple[str, ...]
    words: tuple[str, ...]
    given: bytes = b""


OF_COMMANDS: Final[Mapping[str, Sequence[str]]] = {
    "list": ("", "--all", "--json"),
    "show": ("problem-analysis", "planner --json"),
    "graph": ("problem-analysis --format mermaid", "executor"),
    "step": ("problem-analysis 1", f"planner 3 --state-dir {RUN}"),
    "report": (f"--state-dir {RUN}", f"--state-dir {RUN} --output page.html"),
    "schema": ("", "--tag x"),
    "completion": ("bash",),
    "rehearse": ("problem-analysis why --keep kept",),
    "run": ("problem-analysis why",),
    "resume": ("", f"{NAME}", RUN),
    "status": ("", NAME, "--json", f"{RUN} --json"),
    "answer": (f"{NAME} 1", f"{NAME} x y"),
    "logs": (NAME, f"{NAME} --json", "--agent x"),
    "cancel": (NAME,),
    "runs": ("", "--json"),
    "trust": (NAME, RUN, f"{NAME} --yes"),
    "gc": ("--days 0", "--dry-run"),
    "install": (
        "--agent claude --yes",
        "--merge --yes",
        "--agent claude --skill planner --prefix my- --yes",
        "--check",
        "--dry-run --json",
    ),
    "uninstall": ("", "--yes", "--dry-run"),
    "bundle": ("made", "made --source x"),
    "doctor": ("", "--json"),
}
"""Usual words of commands. Others are called with strange words alone."""
LAST: Final[Mapping[str, Sequence[str]]] = {
    "new": ("--package", "no_such_package"),
    "validate": ("no_such_package",),
    "walk": ("no-such-workflow",),
    "stats": ("no-such-workflow",),
    "worker": ("--limit", "nobody=1"),
    "run": ("--agent", "false", "--attempts", "1", "--time-limit", "5"),
    "rehearse": ("--pace", "0"),
}
"""The end of the line for commands that would write into this checkout, take minutes, or start a client."""
_RUN: Final = ("status", "runs", "report", "gc", "trust", "resume", "list")
FITTING: Final[Mapping[str, Sequence[str]]] = {
    **dict.fromkeys(PLANNER, ("skills.planner.", *_RUN, "step")),
    "edited": ("skills.planner.cli.", "skills.planner.status", "report"),
    "sought": ("skills.incoherence.", *_RUN),
    "driven": (*_RUN, "logs", "answer", "cancel"),
    "installed": ("install", "uninstall", "doctor"),
}
"""The starts that read a project's content, by the project's name."""
ENDLESS: Final = frozenset({"--watch", "--follow", "--help"})
"""Flags of commands that run until their user ends them, and the one that only prints."""
RARE: Final = frozenset({"rehearse", "run", "doctor", "bundle", "install", "resume"})
"""Commands that take longer than others."""


@cache
def flags(start: tuple[str, ...]) -> tuple[str, ...]:
    """Return every flag that a help of the start names."""
    shown = [run_start(start, ("--help",)).out]
    for found in TABLES:
        if found.table.module == start[-1]:
            shown += [run_start(start, (name, "--help")).out for name in found.table.rows]
    return tuple(sorted({flag for page in shown for flag in _FLAG.findall(page)} - ENDLESS)) or ("--x",)


@cache
def ordinary(start: tuple[str, ...]) -> tuple[Line, ...]:
    """Return the usual lines of a start."""
    if start[1] == STEPSCRIPT:
        return tuple(Line(start, tuple(line.split())) for line in OF_COMMANDS.get(start[-1], ("x",)))
    workflow = PROOF.targets.workflows.get(start[-1])
    if workflow is not None:
        return tuple(
            Line(start, _here(case.command.words), written(workflow.steps[case.step_id].sample).encode())
            for case in PROOF.cases[workflow.name]
        )
    for found in TABLES:
        if found.table.module == start[-1]:
            shared = [RUN if word == "state" else word for word in found.table.shared]
            return tuple(
                Line(start, (*shared, name, *example.words), example.given.encode())
                for name, row in found.table.rows.items()
                for example in row.examples
            ) + tuple(Line(start, (*shared, "batch"), example.given.encode()) for example in found.table.batch)
    return (Line(start, ()), Line(start, ("--state-dir", RUN)), Line(start, (".",)), Line(start, ("--json",)))


@cache
def _fitting(project: str) -> tuple[tuple[str, ...], ...]:
    """Return the starts that read the project's content."""
    of = next((patterns for name, patterns in FITTING.items() if project.startswith(name)), ())
    found = [start for start in starts() if any(start[-1].startswith(pattern) for pattern in of)]
    tables = {found.table.module for found in TABLES}
    writing = [start for start in found if start[-1] in tables]
    return tuple(found + writing * (len(found) // max(len(writing), 1)))  # half of the cases change state


def _here(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words, with the run of the project in the place of the proof's."""
    return tuple(RUN if word.startswith(PROOF.stage.directory) else word for word in words)


def line(chance: random.Random, project: str) -> Line:
    """Return a line of a start that fits the project, or of any: unchanged, or with up to three faults."""
    fitting = _fitting(project)
    start = chance.choice(fitting if fitting and chance.random() < 0.8 else starts())
    if start[-1] in RARE and chance.random() < 0.7:
        start = chance.choice(fitting or starts())
    found = chance.choice(ordinary(start))
    words, given = list(found.words), found.given
    for _ in range(chance.choice((0, 0, 0, 0, 0, 1, 1, 2, 3))):
        _spoil(words, start, chance)
    if chance.random() < 0.15:
        given = (
            text(chance).encode(errors="surrogatepass")
            if chance.random() < 0.5
            else given[: chance.randrange(len(given) + 1)]
        )
    if start[1] == STEPSCRIPT and chance.random() < 0.3:
        words.append("--json")
    return Line(start, (*words, *LAST.get(start[-1] if start[1] == STEPSCRIPT else "", ())), given)


def _spoil(words: list[str], start: tuple[str, ...], chance: random.Random) -> None:
    at = chance.randrange(len(words) + 1)
    match chance.randrange(6):
        case 0 if words:
            words[at % len(words)] = word(chance)
        case 1 if words:
            del words[at % len(words)]
        case 2 if words:
            words.insert(at, words[at % len(words)])
        case 3:
            words[at:at] = [chance.choice(flags(start)), word(chance)]
        case 4:
            words.insert(at, f"{chance.choice(flags(start))}={word(chance)}")
        case _:
            words.insert(at, word(chance))
