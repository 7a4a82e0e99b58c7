"""Decisions, rejected alternatives and risks."""

from typing import Annotated, TypeAlias

from lib.workflow.cli.table.arguments import UNSET, Flag, Unset

from ...schema.plan.decisions import Decision, RejectedAlternative, Risk
from ...schema.plan.document import Plan
from .entity import Id, Replacements, Result, Version, save

DecisionRef: TypeAlias = Annotated[str, Flag(ref=True, description="the decision that causes it, such as DL-001")]
Lines: TypeAlias = Annotated[str, Flag(description="the lines that it concerns, such as src/auth.py:L10-L50")]


def set_decision(
    plan: Plan,
    id_: Id = None,
    version: Version = None,
    decision: Annotated[str, Flag(long=True, description="the decision")] | Unset = UNSET,
    reasoning: Annotated[str, Flag(long=True, description="the chain of reasons, separated by ->")] | Unset = UNSET,
    replace: Replacements = (),
) -> Result:
    """Record a decision, or change one."""
    return save(plan, Decision, id_, version, replace, decision=decision, reasoning=reasoning)


def set_rejected_alternative(
    plan: Plan,
    id_: Id = None,
    version: Version = None,
    alternative: Annotated[str, Flag(long=True, description="the alternative that was not chosen")] | Unset = UNSET,
    reason: Annotated[str, Flag(long=True, description="why not")] | Unset = UNSET,
    decision_ref: DecisionRef | Unset = UNSET,
    replace: Replacements = (),
) -> Result:
    """Record a rejected alternative, or change it."""
    values = {"alternative": alternative, "reason": reason, "decision_ref": decision_ref}
    return save(plan, RejectedAlternative, id_, version, replace, **values)


def set_risk(
    plan: Plan,
    id_: Id = None,
    version: Version = None,
    risk: Annotated[str, Flag(long=True, description="the risk: what can go wrong")] | Unset = UNSET,
    mitigation: Annotated[str, Flag(long=True, description="the measure against it")] | Unset = UNSET,
    anchor: Lines | Unset | None = UNSET,
    decision_ref: DecisionRef | Unset | None = UNSET,
    replace: Replacements = (),
) -> Result:
    """Record what can go wrong, or change it."""
    values = {"risk": risk, "mitigation": mitigation, "anchor": anchor, "decision_ref": decision_ref}
    return save(plan, Risk, id_, version, replace, **values)
