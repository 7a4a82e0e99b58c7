"""Invariants between the parts of a plan, which hold at every moment."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from lib.workflow.util.paths import file_key

from .findings import Finding

if TYPE_CHECKING:
    from .document import Plan, Wave
    from .milestone import Milestone


def findings(plan: "Plan") -> tuple[Finding, ...]:
    """Return all faults, structure first: a reference to a duplicate id means nothing."""
    rules = (_twice, _decision_refs, _intent_refs, _diagrams, _wave_members, _one_wave_each, _one_milestone_a_file)
    return tuple(finding for rule in rules for finding in rule(plan))


def ids(plan: "Plan") -> Iterator[str]:
    """Yield the id of every entity that has one of its own."""
    context = plan.planning_context
    yield from (decision.id for decision in context.decisions)
    yield from (alternative.id for alternative in context.rejected_alternatives)
    yield from (risk.id for risk in context.risks)
    yield from (diagram.id for diagram in plan.diagram_graphs)
    yield from (wave.id for wave in plan.waves)
    for milestone in plan.milestones:
        yield milestone.id
        yield from (intent.id for intent in milestone.code_intents)
        yield from (change.id for change in milestone.code_changes)


def _twice(plan: "Plan") -> Iterator[Finding]:
    for entity_id, count in Counter(ids(plan)).items():
        if count > 1:
            yield Finding(entity_id, "id", f"is used {count} times", "give each entity a unique id")


def _unknown(entity_id: str, field: str, refs: Iterable[str], known: Collection[str], what: str) -> Iterator[Finding]:
    """Yield a finding for each reference that leads nowhere."""
    for ref in refs:
        if ref not in known:
            among = f"name one of {_some(known)}" if known else f"add the {what} first"
            yield Finding(entity_id, field, f"{ref} is not a known {what}", among)


def _some(names: Iterable[str], most: int = 8) -> str:
    listed = sorted(names)
    return ", ".join(listed[:most]) + (f" … ({len(listed)} of them)" if len(listed) > most else "")


def _decision_refs(plan: "Plan") -> Iterator[Finding]:
    context = plan.planning_context
    known = frozenset(decision.id for decision in context.decisions)
    for alternative in context.rejected_alternatives:
        yield from _unknown(alternative.id, "decision_ref", (alternative.decision_ref,), known, "decision")
    for risk in context.risks:
        yield from _unknown(risk.id, "decision_ref", filter(None, (risk.decision_ref,)), known, "decision")
    for milestone in plan.milestones:
        for intent in milestone.code_intents:
            yield from _unknown(intent.id, "decision_refs", intent.decision_refs, known, "decision")


def _intent_refs(plan: "Plan") -> Iterator[Finding]:
    for milestone in plan.milestones:
        known = frozenset(intent.id for intent in milestone.code_intents)
        for change in milestone.code_changes:
            refs = filter(None, (change.intent_ref,))
            yield from _unknown(change.id, "intent_ref", refs, known, f"code intent of {milestone.id}")


def _diagrams(plan: "Plan") -> Iterator[Finding]:
    milestones = frozenset(milestone.id for milestone in plan.milestones)
    for diagram in plan.diagram_graphs:
        scope = filter(None, (diagram.milestone,))
        yield from _unknown(diagram.id, "scope", scope, milestones, "milestone")
        nodes = Counter(node.id for node in diagram.nodes)
        for name in (name for name, count in nodes.items() if count > 1):
            yield Finding(diagram.id, "nodes", f"{name!r} is used {nodes[name]} times", "give each node a unique id")
        for edge in diagram.edges:
            yield from _unknown(diagram.id, "edges", (edge.source, edge.target), nodes, "node of it")


def _wave_members(plan: "Plan") -> Iterator[Finding]:
    known = {milestone.id: milestone for milestone in plan.milestones}
    for wave in plan.waves:
        yield from _unknown(wave.id, "milestones", wave.milestones, known, "milestone")
        for member in wave.milestones:
            if member in known and known[member].is_documentation_only:
                yield Finding(
                    wave.id,
                    "milestones",
                    f"{member} is documentation only",
                    "leave it out; the documentation phase takes it",
                )


def _one_wave_each(plan: "Plan") -> Iterator[Finding]:
    first: dict[str, str] = {}
    for wave in plan.waves:
        for member in wave.milestones:
            if member in first:
                yield Finding(
                    wave.id, "milestones", f"{member} is already in {first[member]}", "leave it in one of them"
                )
            first.setdefault(member, wave.id)


def _one_milestone_a_file(plan: "Plan") -> Iterator[Finding]:
    known = {milestone.id: milestone for milestone in plan.milestones}
    for wave in plan.waves:
        yield from _shared(wave, [known[member] for member in dict.fromkeys(wave.milestones) if member in known])


def _shared(wave: "Wave", milestones: Iterable["Milestone"]) -> Iterator[Finding]:
    """Yield a finding for each file that two milestones of the wave touch, because they are built in parallel."""
    first: dict[str, tuple[str, str]] = {}
    for milestone in milestones:
        own: set[str] = set()
        for path, entity in milestone.touched():
            key = file_key(path)
            owner, namer = first.setdefault(key, (milestone.id, entity))
            if owner != milestone.id and key not in own:
                own.add(key)
                yield Finding(
                    wave.id,
                    "milestones",
                    f"{owner} ({namer}) and {milestone.id} ({entity}) both touch {path}",
                    "put them into different waves, or give the file to one of them",
                )
