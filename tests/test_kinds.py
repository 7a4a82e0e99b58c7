"""Handler kinds: a step asks every kind the same questions, so users can write kinds of their own."""

from collections.abc import Iterable, Mapping

from lib.workflow.arguments.parameter import Parameter
from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Text
from lib.workflow.ast.step import Branch
from lib.workflow.ast.visitor import walk
from lib.workflow.core import AgentChoice, Outcome, Script, StepContext, StepDef, Workflow
from lib.workflow.graph.data import Decider, graph_of
from lib.workflow.handlers.base import HandlerKind, Result
from lib.workflow.types import AgentRole

OK, SKIP = Outcome.OK, Outcome.SKIP


class Scout(HandlerKind):
    """A handler that sends an agent ahead, which says if the way is free."""

    agent = AgentRole.EXPLORE
    script = Script(module="a.scout")
    parameters: Mapping[str, Parameter] = {}
    outcomes = (frozenset({OK, SKIP}), frozenset({OK, SKIP}))
    replies: Mapping[Outcome, str] = {OK: "the way is free", SKIP: "it is not"}

    def result(self, context: StepContext) -> Result:
        return AgentChoice({OK: {}, SKIP: {}})

    def launched(self, context: StepContext) -> Iterable[Node]:
        return (Text("Send the scout."),)


def test_custom_handler_kind_is_checked_printed_and_drawn() -> None:
    workflow = Workflow(
        "w",
        StepDef(id="look", title="Look", actions="x", handler=Scout(), next={OK: "end", SKIP: "end"}),
        StepDef(id="end", title="End", actions="x", next={OK: None}),
        module="a.b",
    )
    document = workflow.run("look", workflow.context("look"))
    assert [node.value for node in walk(document) if isinstance(node, Text)] == ["x\nSend the scout."]
    assert [node.when for node in walk(document) if isinstance(node, Branch)] == list(Scout.replies.values())
    node = graph_of(workflow).node("look")
    assert (node.decider, [sent.script for sent in node.dispatches]) == (Decider.REPLY, ["a.scout"])
