"""How a workflow is started, and by whom."""

import os
import re
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from typing import Final

from ..command import Command, flags
from ..command.quoting import ShellError, split
from ..core import Workflow
from ..discovery import Found
from ..types import Value

SKILL: Final = "SKILL.md"


def start(workflow: Workflow) -> Command:
    """The first step; what must be given is a sample, or the first of its legal values, where there is one."""
    required = [item for item in workflow.taken_by(workflow.entry_point).values() if item.required]
    samples = {item.name: (*item.arg.samples, *item.choices) for item in required}
    values: dict[str, Value] = {name: known[0] for name, known in samples.items() if known}
    return workflow.command(workflow.entry_point, values)


def bare_start(workflow: Workflow) -> Command:
    """The first step, told nothing."""
    return Command(workflow.module, flags({"step": workflow.number(workflow.entry_point)}))


def told_at_start(item: Found) -> tuple[str, ...]:
    """The flags that the first step is to be told: those that its skill file gives it, else those it cannot lack."""
    lines = [words for module, words in _starts(skill_file(item) or "") if module == item.workflow.module]
    if lines:
        return _flags(lines[0].partition("`")[0])
    return tuple(given.flag for given in item.workflow.taken_by(item.workflow.entry_point).values() if given.required)


def home_of(item: Found) -> str:
    """The package of the skill that a workflow belongs to."""
    return _skill(item.home)


def _skill(home: str) -> str:
    return ".".join(home.split(".")[:2])


def skill_file(item: Found) -> str | None:
    """What the skill file beside a workflow says; None where there is none."""
    return _skill_file(_skill(item.home))


@cache
def _skill_file(skill: str) -> str | None:
    spec = find_spec(skill)
    folders = spec.submodule_search_locations if spec else None
    path = os.path.join((folders or [os.curdir])[0], SKILL)
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()


def starts_by_hand(item: Found) -> bool:
    """Whether people start the workflow: its skill file says to, or there is none. All else is for agents."""
    text = skill_file(item)
    return text is None or item.workflow.module in _started(text)


def is_agents_script(home: str, homes: Iterable[str]) -> bool:
    """Whether a module is the script of an agent, which need not be imported to know: others of its skill are named."""
    named = _started(_skill_file(_skill(home)) or "")
    return home not in named and any(other in named for other in homes if _skill(other) == _skill(home))


def _started(text: str) -> frozenset[str]:
    return frozenset(module for module, _ in _starts(text))


def _starts(text: str) -> list[tuple[str, str]]:
    """Each script that a skill file starts, and what it tells its first step."""
    return re.findall(r"-m ([\w.]+) --step 1\b(.*)", text)


def _flags(words: str) -> tuple[str, ...]:
    """The flags in what a skill file writes behind a command; not what stands in quotes, if they are closed."""
    try:
        told = split(words)
    except ShellError:  # a page may show what is to be filled in as it likes
        told = tuple(words.split())
    return tuple(word.partition("=")[0] for word in told if word.startswith("--"))
