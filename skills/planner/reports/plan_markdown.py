"""A plan, or a part of it, as compact Markdown for agents, with the ids and versions that commands take.

Texts are printed unchanged. Headings and bullets in the first column come from the program. Every further line of a
text is indented below its bullet, and a diff is in a fence longer than any inside it. So no text can pass for a part
of the plan.
"""

from collections.abc import Iterable, Iterator

from lib.workflow.render.writer import bullet
from lib.workflow.util.characters import broken
from lib.workflow.util.plurals import count

from ..schema.context import Context, ContextField
from ..schema.plan.decisions import Decision, RejectedAlternative, Risk
from ..schema.plan.diagram import Diagram
from ..schema.plan.document import InvisibleKnowledge, Overview, Plan, Wave
from ..schema.plan.entities import Entity
from ..schema.plan.milestone import CodeChange, CodeIntent, Milestone
from ..schema.plan.versions import version_of


def plan_markdown(plan: Plan, diffs: bool = False) -> str:
    """Return the whole plan without empty parts.

    Args:
        plan: The plan.
        diffs: True to show changes with their diffs.
    """
    context = plan.planning_context
    parts = [
        "# plan",
        *_lines_of(overview_lines(plan.overview)),
        *_lines_of(constraint_lines(context.constraints)),
        *(line for each in context.decisions for line in entity_lines(each)),
        *(line for each in context.rejected_alternatives for line in entity_lines(each)),
        *(line for each in context.risks for line in entity_lines(each)),
        *_lines_of(knowledge_lines(plan.invisible_knowledge)),
        *(line for each in plan.diagram_graphs for line in entity_lines(each)),
        *(line for each in plan.waves for line in entity_lines(each)),
        *(line for each in plan.milestones for line in entity_lines(each, diffs)),
    ]
    return "\n".join(parts)


def _lines_of(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a part; nothing if there is only its heading."""
    found = list(lines)
    yield from found if len(found) > 1 else ()


def overview_lines(overview: Overview) -> Iterator[str]:
    """Yield the overview."""
    yield f"## overview v{version_of(overview)}"
    yield from _some("problem", overview.problem)
    yield from _some("approach", overview.approach)


def knowledge_lines(knowledge: InvisibleKnowledge) -> Iterator[str]:
    """Yield the knowledge that the code does not say."""
    yield f"## knowledge v{version_of(knowledge)}"
    yield from _some("system", knowledge.system)
    yield from _each("invariant", knowledge.invariants)
    yield from _each("tradeoff", knowledge.tradeoffs)


def constraint_lines(constraints: Iterable[str]) -> Iterator[str]:
    """Yield the constraints, with their ids and versions."""
    yield "## constraints"
    for number, text in enumerate(constraints, 1):
        yield bullet(broken(f"C-{number:03d} v{version_of(text)}: {text}"))


def entity_lines(entity: Entity, diffs: bool = False) -> Iterator[str]:
    """Yield an entity: a heading with its id and version, and a bullet for each text.

    Args:
        entity: The entity.
        diffs: True to show the changes of a milestone with their diffs.
    """
    head = f"## {entity.id} v{entity.version}"
    match entity:
        case Decision():
            yield head
            yield from _some("decision", entity.decision)
            yield from _some("reasoning", entity.reasoning)
        case RejectedAlternative():
            yield f"{head} for {entity.decision_ref}"
            yield from _some("alternative", entity.alternative)
            yield from _some("reason", entity.reason)
        case Risk():
            yield " ".join(filter(None, (head, entity.decision_ref and f"of {entity.decision_ref}", entity.anchor)))
            yield from _some("risk", entity.risk)
            yield from _some("mitigation", entity.mitigation)
        case Wave():
            yield f"{head}: {', '.join(entity.milestones)}"
        case Diagram():
            yield f"{head}: {entity.title} ({entity.type}, {entity.scope})"
            yield from _graph(entity)
        case Milestone():
            yield from _milestone(head, entity, diffs)
        case CodeIntent():
            yield from _intent(head, entity)
        case CodeChange():
            yield from _change(head, entity, diff=True)


def _milestone(head: str, milestone: Milestone, diffs: bool) -> Iterator[str]:
    yield f"{head}: {milestone.name}{' (documentation only)' if milestone.is_documentation_only else ''}"
    yield from _some("delegated to", milestone.delegated_to or "")
    yield from _some("files", ", ".join(milestone.files))
    yield from _each("requirement", milestone.requirements)
    yield from _each("criterion", milestone.acceptance_criteria)
    yield from _each("test", milestone.tests)
    for intent in milestone.code_intents:
        yield from _intent(f"### {intent.id} v{intent.version}", intent)
    for change in milestone.code_changes:
        yield from _change(f"### {change.id} v{change.version}", change, diffs)


def _intent(head: str, intent: CodeIntent) -> Iterator[str]:
    refs = f" ({', '.join(intent.decision_refs)})" if intent.decision_refs else ""
    yield f"{head}: {intent.file}{refs}"
    yield from _some("behavior", intent.behavior)


def _change(head: str, change: CodeChange, diff: bool) -> Iterator[str]:
    brings = f"for {change.intent_ref}" if change.intent_ref else "documentation"
    size = "" if diff else f", diff of {count(len(change.diff.splitlines()), 'line')}"
    yield f"{head}: {change.file}, {brings}{size}"
    yield from _some("comments", change.comments)
    if diff:
        yield _fenced(change.diff.removesuffix("\n"), "diff")


def _graph(diagram: Diagram) -> Iterator[str]:
    for node in diagram.nodes:
        kind = f" ({node.type})" if node.type else ""
        yield from _some("node", f"{node.id}: {node.label}{kind}")
    for number, edge in enumerate(diagram.edges, 1):
        said = ": ".join(filter(None, (f"{edge.source} -> {edge.target}", edge.label)))
        yield from _some("edge", f"{number}: {said}{f' ({edge.protocol})' if edge.protocol else ''}")
    if diagram.ascii_render is not None:
        yield _fenced(diagram.ascii_render)


def context_markdown(context: Context) -> str:
    """Return the context in the format that `set-context --fields-file` reads, without empty ones."""
    lines: list[str] = []
    for name in ContextField:
        entries: tuple[str, ...] = getattr(context, name)
        lines += [f"## {name}", *(bullet(broken(entry)) for entry in entries)] if entries else []
    return "\n".join(lines)


def _some(label: str, text: str) -> Iterator[str]:
    """Yield a bullet with a label; nothing for an empty text."""
    if text.strip():
        yield bullet(broken(f"{label}: {text}"))


def _fenced(text: str, language: str = "") -> str:
    from lib.workflow.render.markdown import fenced  # imports the nodes of steps; only diffs and drawings need it

    return fenced(broken(text), language)


def _each(label: str, texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from _some(label, text)
