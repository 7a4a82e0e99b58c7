"""The parts of a plan to execute: its waves, and the project's checks at the end."""

from typing import TYPE_CHECKING

from attrs import evolve

from ..schema.run import Building

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..schema.plan.document import Plan
    from ..schema.plan.milestone import Milestone

ONLY = "W-001"
"""The wave of a plan that has none because it only documents."""


def waves(plan: "Plan") -> tuple[Building, ...]:
    """Return the plan's waves in their order, at least one.

    Milestones that only document are in no wave of the plan. The documentation phase of the last wave takes them.
    """
    all_ = [Building(wave=wave.id, code=wave.milestones) for wave in plan.waves] or [Building(wave=ONLY)]
    documents = tuple(each.id for each in plan.milestones if each.is_documentation_only)
    return (*all_[:-1], evolve(all_[-1], documentation=documents))


def checks_of(plan: "Plan") -> tuple[str, ...]:
    """Return the project's own checks, named by tests as `command:…`, without duplicates, in the plan's order."""
    from ..schema.plan.milestone import command_of

    named = (command_of(test) for milestone in plan.milestones for test in milestone.tests)
    return tuple(dict.fromkeys(_line(words) for words in named if words))


def _line(words: list[str]) -> str:
    from shlex import join  # few plans name one

    return join(words)


def files_of(milestones: "Iterable[Milestone]") -> tuple[str, ...]:
    """Return the files that the milestones touch, without duplicates."""
    return tuple(dict.fromkeys(path for each in milestones for path, _ in each.touched()))
