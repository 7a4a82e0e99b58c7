"""What a state directory tells people: the document that the skill makes of it to which it belongs."""

import importlib
import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from ..discovery import candidates
from ..errors import UsageError
from .packages import packages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..ast.nodes import Document

REPORTING: Final = "reporting"
"""The module in a skill's package. Its functions `report` and `brief` take a state directory and return a Document, or
None where the folder is another skill's: the whole, and where the run stands."""


def report_of(state_dir: str) -> "Document":
    """The document of the first skill that knows the folder. Raises UsageError where none does."""
    return _made("report", state_dir)


def brief_of(state_dir: str) -> "Document":
    """Where the run in a folder stands, as its skill tells it. Raises UsageError where none knows it."""
    return _made("brief", state_dir)


def _made(part: str, state_dir: str) -> "Document":
    if not os.path.isdir(state_dir):
        raise UsageError(f"{state_dir!r:.200} is no folder; name the state directory of a run")
    for skill in _skills():
        function: Callable[[str], Document | None] = getattr(importlib.import_module(f"{skill}.{REPORTING}"), part)
        made = function(state_dir)
        if made is not None:
            return made
    raise UsageError(f"{state_dir!r:.200} holds no run that a skill can report on; name the state directory of one")


def _skills() -> "Iterator[str]":
    """The packages of skills that have a report."""
    for package in packages():
        names = dict.fromkeys(".".join(home.split(".")[:2]) for home in candidates(package))
        yield from (name for name in names if "." in name and _has_report(name))


def _has_report(skill: str) -> bool:
    try:
        return find_spec(f"{skill}.{REPORTING}") is not None
    except ModuleNotFoundError:  # the skill is one module
        return False
