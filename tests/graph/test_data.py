"""The graph has the content of the workflow's declaration, and no more."""

from collections.abc import Callable
from typing import Literal

import pytest

from lib.workflow.ast.dispatch import (
    Agent,
    InvokeTemplate,
    RosterDispatchNode,
    Target,
    Template,
    TemplateDispatchNode,
)
from lib.workflow.ast.nodes import Document
from lib.workflow.ast.step import Invoke, StepHeader
from lib.workflow.command import Command
from lib.workflow.command.quoting import Slot
from lib.workflow.command.template import CommandTemplate
from lib.workflow.core import AgentChoice, Handler, Outcome, State, StepContext, StepDef, Workflow
from lib.workflow.graph.data import Decider, GraphEdge, graph_of, printed
from lib.workflow.graph.dispatches import Dispatched
from lib.workflow.prompts.slots import SlotValue
from lib.workflow.types import AgentRole
from skills.problem_analysis.workflow import MAX_ROUNDS, WORKFLOW
from tests.subjects import PROOF
from tests.workflows.desk.workflow import WORKFLOW as DESK
from tests.workflows.review.workflow import WORKFLOW as REVIEW

GRAPH = graph_of(REVIEW)
ANALYSIS = graph_of(WORKFLOW)
ROSTER = RosterDispatchNode(
    agent=AgentRole.EXPLORE,
    agents=(Agent(invoke=Invoke(Command("a.b", ("--step", "1")))), Agent(invoke=Invoke(Command("a.c")))),
)
TEMPLATE = TemplateDispatchNode(
    agent=AgentRole.DEVELOPER,
    targets=(Target(id="one"),),
    template=Template(invoke=InvokeTemplate(CommandTemplate("a.d", (Slot("GROUP_ID"),)))),
)
SENT = [
    Dispatched(agent=AgentRole.EXPLORE, script="a.b", many=True),
    Dispatched(agent=AgentRole.EXPLORE, script="a.c", many=True),
    Dispatched(agent=AgentRole.DEVELOPER, script="a.d", many=True),
]


def test_steps_hold_their_decider_their_dispatches_and_the_ends() -> None:
    assert [(node.number, node.id, node.decider) for node in GRAPH.nodes] == [
        (1, "plan", Decider.STEP),
        (2, "work", None),
        (3, "review", Decider.REPLY),
        (4, "report", None),
        (5, "end", None),
    ]
    reviewer = Dispatched(agent=AgentRole.QUALITY_REVIEWER, script="tests.workflows.review.run")
    assert {node.id: node.dispatches for node in GRAPH.nodes if node.dispatches} == {"review": (reviewer,)}
    assert ([node.id for node in GRAPH.nodes if node.entry], [node.id for node in GRAPH.nodes if node.end]) == (
        ["plan"],
        ["end"],
    )
    assert [node.id for node in ANALYSIS.nodes if node.decider is Decider.AGENT] == ["gate", "investigate"]


def test_steps_of_a_loop_hold_its_iteration_limit() -> None:
    assert [(node.id, node.rounds) for node in GRAPH.nodes if node.looping] == [("work", 5), ("review", None)]
    assert [(node.id, node.rounds) for node in ANALYSIS.nodes if node.looping] == [("investigate", MAX_ROUNDS)]
    assert [(edge.source, edge.target) for edge in (*GRAPH.edges, *ANALYSIS.edges) if edge.back] == [
        ("review", "work"),
        ("investigate", "investigate"),
    ]


def test_an_edge_has_the_condition_that_the_agent_is_shown() -> None:
    conditions = {edge.outcome: edge.condition for edge in ANALYSIS.leaving(ANALYSIS.node("investigate"))}
    assert conditions == dict(WORKFLOW.steps["investigate"].when)


def either(context: StepContext) -> tuple[Literal[Outcome.OK, Outcome.SKIP, Outcome.FAIL], State]:
    return Outcome.OK, {}


def unnamed(context: StepContext) -> tuple[Outcome, State]:
    return Outcome.OK, {}


@pytest.mark.parametrize(
    ("handler", "edges"),
    [
        (either, [(Outcome.OK, "b"), (Outcome.FAIL, "c"), (Outcome.SKIP, "c")]),
        (unnamed, [(Outcome.OK, "b"), (Outcome.DEFAULT, "c")]),
    ],
)
def test_default_edge_expands_to_the_outcomes_that_the_handler_names(
    handler: Handler, edges: list[tuple[Outcome, str | None]]
) -> None:
    steps = [
        StepDef(id="a", title="A", actions="x", handler=handler, next={Outcome.OK: "b", Outcome.DEFAULT: "c"}),
        StepDef(id="b", title="B", actions="x", next={Outcome.OK: "c"}),
        StepDef(id="c", title="C", actions="x", next={Outcome.OK: None}),
    ]
    graph = graph_of(Workflow("w", *steps, module="m"))
    assert [(edge.outcome, edge.target) for edge in graph.leaving(graph.nodes[0])] == edges
    assert graph.nodes[0].decider is Decider.STEP
    assert graph.edges[-1] == GraphEdge(
        source="c", target=None, script=None, outcome=Outcome.OK, condition=None, back=False
    )


def test_dispatches_of_a_slot_function_are_known_only_from_printed_pages() -> None:
    def one(more: SlotValue | Callable[[StepContext], SlotValue]) -> Workflow:
        step = StepDef(id="a", title="A", actions=[ROSTER, "{{more}}"], slots={"more": more}, next={Outcome.OK: None})
        return Workflow("w", step, module="m")

    assert list(graph_of(one(TEMPLATE)).nodes[0].dispatches) == SENT
    workflow = one(lambda context: TEMPLATE)
    declared = graph_of(workflow)
    assert list(declared.nodes[0].dispatches) == SENT[:2]
    document = workflow.run(1, workflow.context(1))
    assert list(printed(declared, [document, document]).nodes[0].dispatches) == SENT
    foreign = Document([StepHeader(script="other", step=1, total=1, title="A"), TEMPLATE])
    assert printed(declared, [foreign, Document([TEMPLATE])]) == declared


def test_another_script_may_take_over_and_the_user_may_be_asked() -> None:
    graph = graph_of(DESK)
    over = [(edge.source, edge.target, edge.script) for edge in graph.edges if edge.script or edge.target is None]
    assert over == [("ask", None, "tests.workflows.review.run"), ("close", None, None)]
    assert graph.leaving(graph.node("work"))[0].condition is None
    assert (graph.node("work").decider, graph.node("ask").decider) == (None, Decider.USER)
    assert printed(graph, [PROOF.prints.documents[command] for command in PROOF.walks["desk"].ways]) == graph


def test_conditions_show_that_the_agent_decides_a_gate() -> None:
    def ask(context: StepContext) -> AgentChoice[Outcome]:
        return AgentChoice({Outcome.OK: {}})

    first = StepDef(
        id="a", title="A", actions="x", handler=ask, next={Outcome.OK: "b"}, when={Outcome.OK: "it is there"}
    )
    last = StepDef(id="b", title="B", actions="x", next={Outcome.OK: None})
    assert graph_of(Workflow("w", first, last, module="m")).nodes[0].decider is Decider.AGENT
