"""The plan of a rehearsal as the commands that make it, phase by phase."""

from collections.abc import Callable, Iterator, Mapping, Sized
from functools import cache
from typing import NamedTuple

from ..schema.diagram import Diagram
from ..schema.milestone import Milestone
from ..schema.phase import Phase
from ..schema.plan import Plan


class Piece(NamedTuple):
    """One part of the plan, the `number`th of those in `among`."""

    among: Callable[[Plan], Sized]
    number: int
    words: tuple[str, ...]
    given: str = ""

    def is_in(self, plan: Plan) -> bool:
        """Whether it is in the plan: an earlier attempt may have come so far."""
        return len(self.among(plan)) > self.number


def _repeated(flag: str, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for value in values for word in (flag, value))


def _design(plan: Plan) -> Iterator[Piece]:
    told = ("--problem", plan.overview.problem, "--approach", plan.overview.approach)
    yield Piece(lambda found: found.overview.problem, 0, ("set-overview", "--version", "1", *told))
    for number, decision in enumerate(plan.planning_context.decisions):
        words = ("set-decision", "--decision", decision.decision, "--reasoning", decision.reasoning)
        yield Piece(lambda found: found.planning_context.decisions, number, words)
    for number, milestone in enumerate(plan.milestones):
        yield from _milestone(number, milestone)
    for number, wave in enumerate(plan.waves):
        yield Piece(lambda found: found.waves, number, ("set-wave", *_repeated("--milestone", wave.milestones)))
    for number, diagram in enumerate(plan.diagram_graphs):
        yield from _diagram(number, diagram)


def _milestone(number: int, milestone: Milestone) -> Iterator[Piece]:
    words = (
        *("set-milestone", "--name", milestone.name),
        *_repeated("--file", milestone.files),
        *_repeated("--acceptance-criterion", milestone.acceptance_criteria),
        *_repeated("--test", milestone.tests),
        *(("--is-documentation-only",) if milestone.is_documentation_only else ()),
    )
    yield Piece(lambda found: found.milestones, number, words)
    for place, intent in enumerate(milestone.code_intents):
        told = ("--milestone", milestone.id, "--file", intent.file, "--behavior", intent.behavior)
        words = ("set-intent", *told, *_repeated("--decision-ref", intent.decision_refs))
        yield Piece(lambda found: found.milestones[number].code_intents, place, words)


def _diagram(number: int, diagram: Diagram) -> Iterator[Piece]:
    told: tuple[str, ...] = ("--type", diagram.type, "--scope", diagram.scope, "--title", diagram.title)
    yield Piece(lambda found: found.diagram_graphs, number, ("set-diagram", *told))
    for place, node in enumerate(diagram.nodes):
        told = ("--diagram", diagram.id, "--node", node.id, "--label", node.label)
        yield Piece(lambda found: found.diagram_graphs[number].nodes, place, ("add-diagram-node", *told))
    for place, edge in enumerate(diagram.edges):
        told = ("--diagram", diagram.id, "--source", edge.source, "--target", edge.target, "--label", edge.label)
        yield Piece(lambda found: found.diagram_graphs[number].edges, place, ("add-diagram-edge", *told))


def _changes(plan: Plan, documents: bool) -> Iterator[Piece]:
    """The changes of documents, which have no intent, or all others."""
    for number, milestone in enumerate(plan.milestones):
        for place, change in enumerate(milestone.code_changes):
            ref = change.intent_ref
            if (ref is None) is documents:
                told = ("set-change", "--intent-ref", ref) if ref else ("set-doc", "--milestone", milestone.id)
                words = (*told, "--file", change.file, "--diff-file", "-")
                yield Piece(_changes_of(number), place, words, change.diff)


def _changes_of(number: int) -> Callable[[Plan], Sized]:
    return lambda found: found.milestones[number].code_changes


def _drawn(number: int, diagram: Diagram) -> Piece:
    version = 1 + len(diagram.nodes) + len(diagram.edges)
    words = ("set-diagram-render", "--id", diagram.id, "--version", f"{version}")
    return Piece(lambda found: found.diagram_graphs[number].ascii_render or "", 0, words)


@cache
def pieces_of(plan: Plan) -> Mapping[Phase, tuple[Piece, ...]]:
    """The commands that make a plan, by the phase that they belong to."""
    return {
        Phase.PLAN_DESIGN: tuple(_design(plan)),
        Phase.PLAN_CODE: tuple(_changes(plan, documents=False)),
        Phase.PLAN_DOCS: (
            *_changes(plan, documents=True),
            *(_drawn(number, diagram) for number, diagram in enumerate(plan.diagram_graphs)),
        ),
    }
