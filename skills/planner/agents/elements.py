"""Elements of a phase's work, and how well a review covers them, counted by the script."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..phases import EXECUTING, PLAN_DESIGN, PLAN_DOCS, PhaseSpec
from ..schema.plan.document import Plan
from ..schema.plan.milestone import Milestone
from ..schema.review.document import Review, ReviewItem

MAX_TEXT: Final = 90
"""Longest text of an element in a list, in characters."""


class Element(NamedTuple):
    """A part of the work that can be wrong on its own."""

    id: str
    kind: str
    """The word by which an item with scope `*` covers all elements of the kind: constraint, decision, criterion …"""
    text: str

    @property
    def line(self) -> str:
        """Return the element on one line, cut at a word."""
        text = " ".join(self.text.split())
        short = text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT].rpartition(' ')[0]} …"
        return f"- {self.id} ({self.kind}): {short}"


def elements_of(row: PhaseSpec, plan: Plan, milestones: tuple[Milestone, ...]) -> tuple[Element, ...]:
    """Return the elements that a phase planned or built.

    Args:
        row: The phase.
        plan: The plan.
        milestones: All milestones while planning, those of the wave while executing.
    """
    if row is PLAN_DESIGN:
        return (*_of_context(plan), *_of_milestones(milestones))
    if row is PLAN_DOCS:
        drawings = (Element(each.id, "diagram", each.title) for each in plan.diagram_graphs)
        return (*_changes(milestones), *drawings)
    criteria = (each for each in _of_milestones(milestones) if each.kind == "criterion")
    return (*criteria, *_changes(milestones)) if row in EXECUTING else (*_intents(milestones), *_changes(milestones))


def _of_context(plan: Plan) -> Iterator[Element]:
    context = plan.planning_context
    for number, text in enumerate(context.constraints, 1):
        yield Element(f"C-{number:03d}", "constraint", text)
    for decision in context.decisions:
        yield Element(decision.id, "decision", decision.decision)
    for risk in context.risks:
        yield Element(risk.id, "risk", risk.risk)
    for number, text in enumerate(plan.invisible_knowledge.invariants, 1):
        yield Element(f"invariant {number}", "invariant", text)


def _of_milestones(milestones: tuple[Milestone, ...]) -> Iterator[Element]:
    for milestone in milestones:
        for number, text in enumerate(milestone.acceptance_criteria, 1):
            yield Element(f"{milestone.id} criterion {number}", "criterion", text)
    yield from _intents(milestones)


def _intents(milestones: tuple[Milestone, ...]) -> Iterator[Element]:
    for milestone in milestones:
        for intent in milestone.code_intents:
            yield Element(intent.id, "intent", f"{intent.file}: {intent.behavior}")


def _changes(milestones: tuple[Milestone, ...]) -> Iterator[Element]:
    for milestone in milestones:
        for change in milestone.code_changes:
            yield Element(change.id, "change", f"{change.file} for {change.intent_ref or 'documentation'}")


def uncovered(elements: tuple[Element, ...], review: Review) -> tuple[Element, ...]:
    """Return the elements that no item names: by id or milestone, or by kind if the item's scope is `*`."""
    named = [f"{item.scope} {item.check}" for item in review.items]
    whole = " ".join(item.check.lower() for item in review.items if item.scope == "*")
    return tuple(each for each in elements if not _is_named(each, named) and not _has_word(each.kind, whole))


def _is_named(element: Element, texts: list[str]) -> bool:
    owner = element.id.partition(" ")[0]
    return any(_has_word(element.id, text) or _has_word(owner, text) for text in texts)


def _has_word(word: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w]|-\d)", text) is not None


def compound(review: Review) -> tuple[ReviewItem, ...]:
    """Return the items whose check may join several conditions."""
    return tuple(item for item in review.items if re.search(r"[;,] and |\band\b.*\band\b|\bor\b|;", item.check))
