"""The start command of a workflow, and the distinction of workflows for people and for agents."""

import os
import re
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from typing import Final

from ...arguments.parameter import Value
from ...command import Command, flags
from ...command.quoting import ShellError, split
from ...core import Workflow
from ...discovery import Found

SKILL: Final = "SKILL.md"


def start(workflow: Workflow) -> Command:
    """Return the first step's command.

    Required parameters get a sample, or their first legal value, if there is one.
    """
    required = [item for item in workflow.taken_by(workflow.entry_point).values() if item.required]
    samples = {item.name: (*item.arg.samples, *item.choices) for item in required}
    values: dict[str, Value] = {name: known[0] for name, known in samples.items() if known}
    return workflow.command(workflow.entry_point, values)


def bare_start(workflow: Workflow) -> Command:
    """Return the first step's command without parameters."""
    return Command(workflow.module, flags({"step": workflow.number(workflow.entry_point)}))


def told_at_start(item: Found) -> tuple[str, ...]:
    """Return the flags that the first step needs: those in its skill file, else the required ones."""
    lines = [words for module, words in _starts(skill_file(item) or "") if module == item.workflow.module]
    if lines:
        return _flags(lines[0].partition("`")[0])
    return tuple(given.flag for given in item.workflow.taken_by(item.workflow.entry_point).values() if given.required)


def home_of(item: Found) -> str:
    """Return the package of the skill that a workflow belongs to."""
    return _skill(item.home)


def _skill(home: str) -> str:
    return ".".join(home.split(".")[:2])


def skill_file(item: Found) -> str | None:
    """Return the text of the skill file beside a workflow, or None."""
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
    """Return True if people start the workflow: its skill file says so, or is missing. Others are for agents."""
    text = skill_file(item)
    return text is None or item.workflow.module in _started(text)


def is_agents_script(home: str, homes: Iterable[str]) -> bool:
    """Return True if a module is an agent's script, without importing it.

    Such a module is not named by its skill file, which names others of the skill.
    """
    named = _started(_skill_file(_skill(home)) or "")
    return home not in named and any(other in named for other in homes if _skill(other) == _skill(home))


def _started(text: str) -> frozenset[str]:
    return frozenset(module for module, _ in _starts(text))


def _starts(text: str) -> list[tuple[str, str]]:
    """Return each script that a skill file starts, with the words for its first step."""
    return re.findall(r"-m ([\w.]+) --step 1\b(.*)", text)


def _flags(words: str) -> tuple[str, ...]:
    """Return the flags in a skill file's text after a command, except inside closed quotes."""
    try:
        tokens = split(words)
    except ShellError:  # a page may show placeholders in any form
        tokens = tuple(words.split())
    return tuple(word.partition("=")[0] for word in tokens if word.startswith("--"))
