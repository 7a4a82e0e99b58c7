"""What of a plan is to be carried out: its waves, and what the project is held to at the end."""

from typing import TYPE_CHECKING

from attrs import evolve

from ..schema.run import Building

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..schema.milestone import Milestone
    from ..schema.plan import Plan

ONLY = "W-001"
"""The wave of a plan that has none, since it documents only."""


def waves(plan: "Plan") -> tuple[Building, ...]:
    """The plan's waves in their order; one at least.

    Milestones that document only are in no wave of the plan: the documentation phase of the last one takes them.
    """
    all_ = [Building(wave=wave.id, code=wave.milestones) for wave in plan.waves] or [Building(wave=ONLY)]
    documents = tuple(each.id for each in plan.milestones if each.is_documentation_only)
    return (*all_[:-1], evolve(all_[-1], documentation=documents))


def checks_of(plan: "Plan") -> tuple[str, ...]:
    """The project's own checks: what tests name as `command:…`, each once, in the plan's order."""
    from ..schema.milestone import command_of

    named = (command_of(test) for milestone in plan.milestones for test in milestone.tests)
    return tuple(dict.fromkeys(_line(words) for words in named if words))


def _line(words: list[str]) -> str:
    from shlex import join  # few plans name one

    return join(words)


def files_of(milestones: "Iterable[Milestone]") -> tuple[str, ...]:
    """The files that they touch, each once."""
    return tuple(dict.fromkeys(path for each in milestones for path, _ in each.touched()))
