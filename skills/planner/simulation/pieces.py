"""The plan of a rehearsal as batches of requests, one for each page that asks for some."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

from ..schema.plan.diagram import Diagram
from ..schema.plan.document import Plan
from ..schema.plan.milestone import Milestone

Request: TypeAlias = dict[str, object]


class Batch(NamedTuple):
    """The requests of one command."""

    requests: tuple[Request, ...]
    is_in: Callable[[Plan], bool]
    """A test of a plan for the requests of an earlier attempt: a batch is done whole or not at all."""


@cache
def batches_of(plan: Plan) -> dict[str, Batch]:
    """Return the batches that make a plan, by the step whose page asks for them."""
    return {
        "decide": Batch(tuple(_decided(plan)), lambda found: bool(found.overview.problem)),
        "milestones": Batch(tuple(_milestones(plan)), lambda found: bool(found.milestones)),
        "intents": Batch(tuple(_intents(plan)), lambda found: any(each.code_intents for each in found.milestones)),
        "picture": Batch(tuple(_picture(plan)), lambda found: bool(found.invisible_knowledge.invariants)),
    }


@cache
def whole(plan: Plan) -> Batch:
    """Return one batch that makes the whole plan, without diagrams. The agent of a light run sends it."""
    requests = (*_decided(plan), *_milestones(plan), *_intents(plan), _knowledge())
    return Batch(requests, lambda found: bool(found.milestones))


def _decided(plan: Plan) -> Iterator[Request]:
    yield {"command": "set-overview", "problem": plan.overview.problem, "approach": plan.overview.approach}
    for number, decision in enumerate(plan.planning_context.decisions, 1):
        request = {"decision": decision.decision, "reasoning": decision.reasoning}
        yield {"command": "set-decision", "as": f"d{number}", **request}


def _milestones(plan: Plan) -> Iterator[Request]:
    for number, milestone in enumerate(plan.milestones, 1):
        yield {"command": "set-milestone", "as": f"m{number}", **_told(milestone)}
    places = {milestone.id: f"$m{number}" for number, milestone in enumerate(plan.milestones, 1)}
    for wave in plan.waves:
        yield {"command": "set-wave", "milestones": [places[name] for name in wave.milestones]}


def _told(milestone: Milestone) -> Request:
    request: Request = {
        "name": milestone.name,
        "files": [*milestone.files],
        "acceptance_criteria": [*milestone.acceptance_criteria],
        "tests": [*milestone.tests],
    }
    return {**request, "is_documentation_only": True} if milestone.is_documentation_only else request


def _intents(plan: Plan) -> Iterator[Request]:
    for milestone in plan.milestones:
        for intent in milestone.code_intents:
            request = {"file": intent.file, "behavior": intent.behavior, "decision_refs": [*intent.decision_refs]}
            yield {"command": "set-intent", "milestone": milestone.id, **request}


def _knowledge() -> Request:
    return {"command": "set-knowledge", "invariants": ["a refused request leaves no count behind"], "tradeoffs": []}


def _picture(plan: Plan) -> Iterator[Request]:
    yield _knowledge()
    for number, diagram in enumerate(plan.diagram_graphs, 1):
        yield from _diagram(f"g{number}", diagram)


def _diagram(name: str, diagram: Diagram) -> Iterator[Request]:
    yield {"command": "set-diagram", "as": name, "type": diagram.type, "scope": diagram.scope, "title": diagram.title}
    for node in diagram.nodes:
        yield {"command": "add-diagram-node", "diagram": f"${name}", "node": node.id, "label": node.label}
    for edge in diagram.edges:
        request = {"source": edge.source, "target": edge.target, "label": edge.label}
        yield {"command": "add-diagram-edge", "diagram": f"${name}", **request}
