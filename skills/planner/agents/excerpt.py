"""Part of a plan that the reader of a page needs, as Markdown."""

import re
from collections.abc import Iterable

from attrs import evolve

from ..phases import EXECUTING
from ..reports.plan_markdown import plan_markdown
from ..schema.ids import ID
from ..schema.milestone import Milestone
from ..schema.plan import Plan
from .slots import SlotContext
from .wave_slots import milestones_of


def planned(where: SlotContext) -> tuple[Milestone, ...]:
    """Return all milestones while planning; while executing, those of the wave or of the agent."""
    return milestones_of(where) if where.row in EXECUTING else where.state.plan.milestones


def plan_of(where: SlotContext, scopes: Iterable[str] = ("*",)) -> str:
    """Return the plan as Markdown, limited to some scopes.

    Args:
        where: The page.
        scopes: Scopes of review items. If each one names entities of milestones, only those milestones are printed.
    """
    at_hand = {each.id for each in planned(where)}
    named = [_milestones(scope) for scope in scopes]
    wanted = at_hand if not all(named) else at_hand & {name for names in named for name in names}
    return plan_markdown(_without_repeated(where), milestones=wanted or at_hand)


def _without_repeated(where: SlotContext) -> Plan:
    """Return the plan, without its constraints if they equal those of the context that the page has already printed."""
    plan = where.state.plan
    if plan.planning_context.constraints != where.state.context.constraints:
        return plan
    return evolve(plan, planning_context=evolve(plan.planning_context, constraints=()))


def _milestones(scope: str) -> list[str]:
    """Return the milestones whose entities a scope names."""
    ids = [found[0] for found in re.finditer(ID, scope)]
    return [_owner(each) for each in ids if _owner(each).startswith("M-")]


def _owner(entity: str) -> str:
    return entity.partition("-")[2].rpartition("-")[0] if entity.startswith(("CI-", "CC-")) else entity
