"""Reasons why a plan needs no diagram."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from lib.workflow.util.paths import file_key

if TYPE_CHECKING:
    from ..schema.plan.document import Plan

STRUCTURAL: Final = re.compile(
    r"\b(services?|layers?|layered|flows?|dataflow|workflow|protocols?|pipelines?|components?|architecture|queues?|"
    r"states?|state machine|apis?|gateways?|brokers?|streams?|streaming)\b",
    re.IGNORECASE,
)
"""Words that show that an overview is about how parts work together."""
REFACTORING: Final = re.compile(r"\brefactor(s|ed|ing)?\b", re.IGNORECASE)


def reasons_to_skip(plan: "Plan") -> tuple[str, ...]:
    """Return the reasons to skip diagrams, empty if the plan should have one. Milestones must exist already.

    If the overview says that it is a refactoring, that is trusted, although one may bring new components.
    """
    return tuple(_reasons(plan))


def _reasons(plan: "Plan") -> Iterator[str]:
    overview = f"{plan.overview.problem}\n{plan.overview.approach}"
    files = {file_key(path) for milestone in plan.milestones for path, _ in milestone.touched()}
    if REFACTORING.search(overview):
        yield "a refactoring"
    if len(files) == 1:
        yield "a change of a single file"
    if plan.milestones and all(milestone.is_documentation_only for milestone in plan.milestones):
        yield "documentation only"
    if not STRUCTURAL.search(overview):
        yield "the overview speaks of no structure"
