"""Checks of a plan: its references at any time, its completeness at the end of a phase, its diffs against the code."""

from collections.abc import Iterator
from itertools import chain
from typing import Annotated

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Element
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.errors import RefusedError

from ...schema.phase import PLANNING
from ...schema.plan.document import Plan
from ...schema.plan.findings import Finding, listed
from .entity import NOTE


def validate(
    plan: Plan,
    phase: Annotated[str | None, Flag(choices=PLANNING, description="the phase that must be complete")] = None,
    repo: Annotated[
        str | None, Flag(description="the project's folder: git tries all diffs on copies of it", path=True)
    ] = None,
) -> Node:
    """Check the plan, and what a phase must complete.

    Prints every fault: broken references, entries in the wrong place, unfinished work of the phase, and diffs that
    do not fit.
    """
    from .completeness import missing  # imports everything that reads drawings

    unfinished = (missing(plan, each) for each in PLANNING if each == phase)
    findings = [*plan.validate_refs(), *chain.from_iterable(unfinished)]
    if repo is not None:
        findings += _misfits(plan, repo)
    if findings:
        raise RefusedError("invalid-plan", phase or "plan", listed(findings), "fix each of them, then validate again")
    return Element("valid", {"phase": phase}, _remarks(plan) if phase else ())


def _remarks(plan: Plan) -> Iterator[Node]:
    """Yield remarks on what is not a fault but may be an oversight."""
    from ...diagrams.skip import reasons_to_skip

    if not plan.diagram_graphs and not reasons_to_skip(plan):
        yield Element(NOTE, {}, "the overview describes a structure, but there is no diagram: set-diagram")


def _misfits(plan: Plan, repo: str) -> tuple[Finding, ...]:
    from ...diffs.trial import in_order, tried  # imports everything that runs git

    try:
        return tried(in_order(plan), repo)
    except ValueError as error:
        raise RefusedError("unusable-repo", repo, str(error), "validate again with the project's folder") from None
