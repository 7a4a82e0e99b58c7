"""A plan as a document for people: the content of plan.md, without empty parts."""

from collections.abc import Iterable, Iterator

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Code, Document
from lib.workflow.ast.prose import bullets, drawing, item, labelled, section, timeline

from ..diagrams.draw import draw
from ..schema.plan.decisions import PlanningContext
from ..schema.plan.diagram import INVISIBLE_KNOWLEDGE, MILESTONE, OVERVIEW, Diagram
from ..schema.plan.document import InvisibleKnowledge, Plan
from ..schema.plan.milestone import CodeChange, Milestone


def document(plan: Plan) -> Document:
    """Return the plan. Every diagram is at the place that its scope names."""
    made = section("Plan", *parts(plan))
    return Document([made or labelled("Plan", "empty") or Code(text="")])


def parts(plan: Plan) -> tuple[Node | None, ...]:
    """Return the sections of the plan, in their order."""
    overview = section(
        "Overview",
        labelled("Problem", plan.overview.problem),
        labelled("Approach", plan.overview.approach),
        *_diagrams(plan, OVERVIEW),
    )
    return (
        overview,
        _context(plan.planning_context),
        _knowledge(plan.invisible_knowledge, plan),
        section("Waves", timeline(*_waves(plan))),
        section("Milestones", *(_milestone(milestone, plan) for milestone in plan.milestones)),
    )


def _diagrams(plan: Plan, scope: str) -> Iterator[Node | None]:
    for diagram in plan.diagram_graphs:
        if diagram.scope == scope:
            yield labelled(diagram.title, drawing(diagram.title, _drawing(diagram)), anchor=diagram.id)


def _drawing(diagram: Diagram) -> str:
    """Return the technical writer's drawing, else a generated one."""
    if diagram.ascii_render is not None:
        return diagram.ascii_render
    try:
        return draw(diagram)
    except ValueError as error:
        return str(error)


def _context(context: PlanningContext) -> Node | None:
    decisions = (
        item(labelled(each.id, each.decision), bullets(labelled("Reasoning", each.reasoning)), anchor=each.id)
        for each in context.decisions
    )
    alternatives = (
        item(
            labelled(each.id, each.alternative),
            bullets(labelled(f"Rejected for {each.decision_ref}", each.reason)),
            anchor=each.id,
        )
        for each in context.rejected_alternatives
    )
    risks = (
        item(
            labelled(_with(each.id, each.anchor, each.decision_ref), each.risk),
            bullets(labelled("Mitigation", each.mitigation)),
            anchor=each.id,
        )
        for each in context.risks
    )
    return section(
        "Planning context",
        section("Constraints", bullets(*context.constraints)),
        section("Decisions", bullets(*decisions)),
        section("Rejected alternatives", bullets(*alternatives)),
        section("Risks", bullets(*risks)),
    )


def _with(name: str, *about: str | None) -> str:
    """Return the id, with its subject in parentheses."""
    said = ", ".join(filter(None, about))
    return f"{name} ({said})" if said else name


def _knowledge(knowledge: InvisibleKnowledge, plan: Plan) -> Node | None:
    return section(
        "Invisible knowledge",
        *_diagrams(plan, INVISIBLE_KNOWLEDGE),
        labelled("System", knowledge.system),
        section("Invariants", bullets(*knowledge.invariants)),
        section("Tradeoffs", bullets(*knowledge.tradeoffs)),
    )


def _waves(plan: Plan) -> Iterator[Node | None]:
    names = {milestone.id: milestone.name for milestone in plan.milestones}
    for wave in plan.waves:
        members = (f"{each}: {names[each]}" if each in names else each for each in wave.milestones)
        yield labelled(wave.id, "; ".join(members), anchor=wave.id)


def _milestone(milestone: Milestone, plan: Plan) -> Node | None:
    kind = "Documentation only." if milestone.is_documentation_only else ""
    intents = (
        labelled(_with(f"{each.id}, {each.file}", *each.decision_refs), each.behavior, anchor=each.id)
        for each in milestone.code_intents
    )
    return section(
        f"{milestone.id}: {milestone.name}",
        *_diagrams(plan, f"{MILESTONE}{milestone.id}"),
        labelled("Kind", kind),
        labelled("Delegated to", milestone.delegated_to or ""),
        labelled("Files", ", ".join(f"`{path}`" for path in milestone.files)),
        labelled("Requirements", bullets(*milestone.requirements)),
        labelled("Acceptance criteria", bullets(*milestone.acceptance_criteria)),
        labelled("Tests", bullets(*milestone.tests)),
        labelled("Intents", bullets(*intents)),
        section("Changes", *_changes(milestone.code_changes)),
        anchor=milestone.id,
    )


def _changes(changes: Iterable[CodeChange]) -> Iterator[Node | None]:
    for change in changes:
        brings = f", brings {change.intent_ref}" if change.intent_ref else ", documentation"
        diff = Code(language="diff", text=change.diff.removesuffix("\n"))
        yield labelled(f"{change.id}, {change.file}{brings}", change.comments, diff, anchor=change.id)
