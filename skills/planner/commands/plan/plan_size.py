"""Size limit of a design: every reviewer reads it whole, and agents add where they could replace."""

from collections.abc import Iterator

from lib.workflow.errors import RefusedError
from lib.workflow.util.plurals import count

from ...limits import PLAN_BASE, PLAN_EACH, PLAN_REPAIR, PLAN_SLACK
from ...reports.plan_markdown import entity_lines, knowledge_lines, overview_lines, plan_markdown
from ...schema.ids import EntityKind
from ...schema.plan.document import Plan
from ...schema.plan.entities import entities

LONGEST = 5
"""Most parts that a refusal names."""


def check_size(plan: Plan, repairs: int = 0) -> None:
    """Raise RefusedError, with the longest parts, for a design that is longer than its milestones allow.

    Each repair may add PLAN_REPAIR characters: a finding that something is left open asks for a sentence more.
    """
    most = PLAN_BASE + PLAN_EACH * len(plan.milestones) + PLAN_REPAIR * repairs
    size = len(plan_markdown(plan))
    if size <= most + PLAN_SLACK:
        return
    what = f"the design has {size:,} characters, at most {most:,} for {count(len(plan.milestones), 'milestone')}"
    longest = sorted(_parts(plan), reverse=True)[:LONGEST]
    shown = ", ".join(f"{name} {length:,}" for length, name in longest)
    how = '{"command": "set-decision", "id": "DL-001", "version": 1, "reasoning": "shorter"}'
    fix = (
        f"write each fact once, and cut text that decides nothing. The longest parts: {shown}. "
        f"`batch` replaces a text: {how}; `remove` removes an entity"
    )
    raise RefusedError("too-long", "plan", what, fix)


def _parts(plan: Plan) -> Iterator[tuple[int, str]]:
    for kind in (EntityKind.DECISION, EntityKind.RISK, EntityKind.MILESTONE, EntityKind.INTENT):
        for each in entities(plan, kind):
            yield _length(entity_lines(each)), each.id
    yield _length(overview_lines(plan.overview)), "overview"
    yield _length(knowledge_lines(plan.invisible_knowledge)), "knowledge"


def _length(lines: Iterator[str]) -> int:
    return len("\n".join(lines))
