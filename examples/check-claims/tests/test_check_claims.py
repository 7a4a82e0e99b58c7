"""The structure of the skill: its steps, its agents, its own node."""

import pytest
from attrs import evolve

from claim_skills.check_claims.nodes import Claim
from claim_skills.check_claims.workflow import MAX_ROUNDS, WORKFLOW
from claim_skills.roles import CLAIM_CHECKER, definitions
from lib.workflow.ast.dispatch import RosterDispatchNode
from lib.workflow.ast.nodes import Element
from lib.workflow.ast.parse import parse
from lib.workflow.ast.visitor import walk
from lib.workflow.core import AgentChoice, Outcome, Task
from lib.workflow.render.xml import render


def test_each_part_gets_an_agent_of_the_own_role() -> None:
    context = WORKFLOW.context("check", {"roster_file": "-"})
    tasks = (Task("P1", "one"), Task("P2", "two"))
    page = WORKFLOW.run("check", evolve(context, tasks=tasks))
    (dispatch,) = (node for node in walk(page) if isinstance(node, RosterDispatchNode))
    assert dispatch.agent == CLAIM_CHECKER
    assert CLAIM_CHECKER in definitions()


def test_the_last_round_offers_no_other() -> None:
    offered = {}
    for number in range(1, MAX_ROUNDS + 1):
        choice = WORKFLOW.outcomes("fix", WORKFLOW.context("fix", {"iteration": number}))
        assert isinstance(choice, AgentChoice)
        offered[number] = Outcome.ITERATE in choice.ways
    assert offered == {1: True, 2: True, MAX_ROUNDS: False}


def test_a_claim_is_printed_as_an_element_and_reads_back_as_one() -> None:
    page = WORKFLOW.run("list", WORKFLOW.context("list"))
    (claim,) = (node for node in walk(page) if isinstance(node, Claim))
    (element,) = (node for node in walk(parse(render(page))) if isinstance(node, Element) and node.tag == "claim")
    assert dict(element.attributes) == {"place": claim.place}


def test_a_claim_without_a_line_is_refused() -> None:
    with pytest.raises(ValueError, match="write FILE:LINE"):
        Claim(place="docs/install.md", text="x")
