"""What of a plan is to be carried out: which wave comes next, and what the project is held to at the end."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .schema.run import Building

if TYPE_CHECKING:
    from .schema.plan import Plan

ONLY = "W-001"
"""The wave of a plan that has none, since it documents only."""


def waves(plan: "Plan", done: tuple[str, ...] = ()) -> tuple[Building, ...]:
    """The plan's waves in their order, without what is done; one at least, so that there is a review at the end.

    Milestones that document only are in no wave of the plan: the documentation phase of the last one takes them.
    """
    left = [*_left(plan, done)]
    documents = tuple(each.id for each in plan.milestones if each.is_documentation_only and each.id not in done)
    last = left.pop() if left else Building(wave=plan.waves[-1].id if plan.waves else ONLY)
    return (*left, Building(wave=last.wave, code=last.code, documentation=documents))


def _left(plan: "Plan", done: tuple[str, ...]) -> Iterator[Building]:
    for wave in plan.waves:
        code = tuple(member for member in wave.milestones if member not in done)
        if code:
            yield Building(wave=wave.id, code=code)


def following(plan: "Plan", done: tuple[str, ...], wave: str | None) -> Building | None:
    """The wave after that one, the first where it is None; None after the last."""
    all_ = waves(plan, done)
    names = [each.wave for each in all_]
    place = 0 if wave is None else names.index(wave) + 1
    return all_[place] if place < len(all_) else None


def checks_of(plan: "Plan") -> tuple[str, ...]:
    """The project's own checks: what tests name as `command:…`, each once, in the plan's order."""
    from .schema.milestone import command_of

    named = (command_of(test) for milestone in plan.milestones for test in milestone.tests)
    return tuple(dict.fromkeys(_line(words) for words in named if words))


def _line(words: list[str]) -> str:
    from shlex import join  # few plans name one

    return join(words)
