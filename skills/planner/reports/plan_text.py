"""A plan as compact Markdown for agents: every entity with its id and version, no diffs."""

from collections.abc import Collection, Iterator

from ..schema.milestone import Milestone
from ..schema.plan import Plan


def plan_text(plan: Plan, milestones: Collection[str] | None = None) -> str:
    """Print a plan as Markdown.

    Args:
        plan: The plan.
        milestones: The ids of the milestones to print in full; all if None. Overview, constraints, decisions, risks and
            knowledge are printed in any case, since every milestone rests on them.
    """
    return "\n".join(_lines(plan, milestones))


def _lines(plan: Plan, wanted: Collection[str] | None) -> Iterator[str]:
    yield f"Plan v{plan.version}"
    yield f"Problem: {_line(plan.overview.problem)}"
    yield f"Approach: {_line(plan.overview.approach)}"
    context = plan.planning_context
    yield from (f"- C-{number:03d} {_line(text)}" for number, text in enumerate(context.constraints, 1))
    for decision in context.decisions:
        yield f"- {decision.id} v{decision.version} {_line(decision.decision)}: {_line(decision.reasoning)}"
        for other in context.rejected_alternatives:
            if other.decision_ref == decision.id:
                yield f"  - {other.id} v{other.version} rejected: {_line(other.alternative)}; {_line(other.reason)}"
    for risk in context.risks:
        yield f"- {risk.id} v{risk.version} {_line(risk.risk)}; mitigation: {_line(risk.mitigation)}"
    knowledge = plan.invisible_knowledge
    if knowledge.system:
        yield f"- system: {_line(knowledge.system)}"
    yield from (f"- invariant: {_line(text)}" for text in knowledge.invariants)
    yield from (f"- trade-off: {_line(text)}" for text in knowledge.tradeoffs)
    for diagram in plan.diagram_graphs:
        edges = "; ".join(f"{edge.source} {edge.label or '->'} {edge.target}" for edge in diagram.edges)
        yield f"- {diagram.id} v{diagram.version} {diagram.type}, {diagram.title} ({diagram.scope}): {edges}"
    yield from (f"- {wave.id} v{wave.version}: {', '.join(wave.milestones)}" for wave in plan.waves)
    for milestone in plan.milestones:
        if wanted is None or milestone.id in wanted:
            yield from _of_milestone(milestone)


def _of_milestone(milestone: Milestone) -> Iterator[str]:
    kind = ", documentation only" if milestone.is_documentation_only else ""
    yield f"### {milestone.id} v{milestone.version} {milestone.name}{kind}"
    yield f"files: {', '.join(milestone.files)}"
    yield from (f"- requirement: {_line(text)}" for text in milestone.requirements)
    yield from (f"- criterion {number}: {_line(text)}" for number, text in enumerate(milestone.acceptance_criteria, 1))
    yield from (f"- test: {_line(text)}" for text in milestone.tests)
    for intent in milestone.code_intents:
        refs = f" ({', '.join(intent.decision_refs)})" if intent.decision_refs else ""
        yield f"- {intent.id} v{intent.version} {intent.file}{refs}: {_line(intent.behavior)}"
    for change in milestone.code_changes:
        yield f"- {change.id} v{change.version} {change.file} for {change.intent_ref or 'documentation'}"


def _line(text: str) -> str:
    return " ".join(text.split())
