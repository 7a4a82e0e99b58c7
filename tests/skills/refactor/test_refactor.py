"""The graph of the refactoring analysis, its sample and its dispatch."""

from itertools import product

import pytest

from lib.workflow.arguments.parameter import Value
from lib.workflow.ast.dispatch import RosterDispatchNode
from lib.workflow.ast.nodes import Text
from lib.workflow.ast.step import Branch, Invoke, InvokeAfter
from lib.workflow.ast.visitor import walk
from lib.workflow.cli.calls import read_call
from lib.workflow.command import Command
from lib.workflow.core import Outcome
from lib.workflow.render.xml import render
from lib.workflow.types import AgentRole
from skills.agents.definitions import Tool, read_definition
from skills.conventions.categories import Group, category_ids, read_category
from skills.refactor import sample as sampling
from skills.refactor.explore_workflow import WORKFLOW as EXPLORE
from skills.refactor.modes import Mode
from skills.refactor.run import EXPLORERS, FEW, MAX_EXPLORERS, MAX_SEED, again, another, listed
from skills.refactor.sample import sample
from skills.refactor.workflow import WORKFLOW

LONG = "/home/somebody/projects/the-shop/services/orders/src/main/python/orders"


def state_of(**values: Value) -> dict[str, Value]:
    return {"scope": "/srv/shop", "mode": Mode.CODE, "n": 4, "seed": 7, **values}


def dispatch(**values: Value) -> RosterDispatchNode:
    document = WORKFLOW.run("dispatch", WORKFLOW.context("dispatch", state_of(**values)))
    (found,) = (node for node in walk(document) if isinstance(node, RosterDispatchNode))
    return found


def test_it_has_seven_steps() -> None:
    assert list(WORKFLOW.steps) == ["mode", "dispatch", "triage", "cluster", "context", "order", "report"]


@pytest.mark.parametrize("mode", [None, *Mode])
@pytest.mark.parametrize("n", [None, 5])
def test_the_agent_chooses_mode_and_depth_unless_given(mode: Mode | None, n: int | None) -> None:
    given = {name: value for name, value in (("mode", mode), ("n", n)) if value}
    document = WORKFLOW.run("mode", WORKFLOW.context("mode", {"scope": "/srv/shop", "seed": 7, **given}))
    ways = [read_call(WORKFLOW, node.invoke.command.words) for node in walk(document) if isinstance(node, Branch)]
    offered = {(way.context.step_state["mode"], way.context.step_state["n"]) for way in ways[:-1]}
    assert offered == set(product([mode] if mode else Mode, [n] if n else (FEW, EXPLORERS)))
    assert {way.step for way in ways[:-1]} == {2}
    assert ways[-1].step == 7


@pytest.mark.parametrize("step_id", list(WORKFLOW.steps)[:-1])
def test_every_printed_command_carries_the_seed(step_id: str) -> None:
    document = WORKFLOW.run(step_id, WORKFLOW.context(step_id, state_of(seed=1)))
    after = next(block for block in document.blocks if isinstance(block, InvokeAfter))
    commands = [node.command for node in walk(after) if isinstance(node, Invoke)]
    assert all(read_call(WORKFLOW, command.words).context.step_state["seed"] == 1 for command in commands)
    assert all("--seed" in command.words for command in commands)


@pytest.mark.parametrize("n", range(1, MAX_EXPLORERS + 1))
def test_a_seed_draws_the_same_and_a_smaller_sample_is_part_of_a_larger(n: int) -> None:
    assert sample(n, 7) == sample(n, 7)
    assert len(set(sample(n, 7))) == n
    assert set(sample(n, 7)) < set(sample(n + 1, 7)) <= set(category_ids())


@pytest.mark.parametrize(("seed", "drawn"), [(0, "acfgh"), (1, "acdfh"), (2, "acdfh")])
def test_a_seed_draws_the_same_on_every_machine(seed: int, drawn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sampling, "groups_of", lambda: {name: "xyz"[place % 3] for place, name in enumerate("abcdefgh")}
    )
    assert "".join(sample(5, seed)) == drawn


@pytest.mark.parametrize("seed", range(20))
def test_a_sample_is_drawn_across_the_groups(seed: int) -> None:
    groups = [read_category(name).group for name in sample(len(Group), seed)]
    assert sorted(groups) == sorted(Group)


def test_the_sample_is_shown_with_its_groups_the_empty_ones_included() -> None:
    lines = listed(WORKFLOW.context("report", state_of(n=2))).split("\n")[1:]
    assert [line.strip().partition(":")[0] for line in lines] == list(Group)
    shown = {name for line in lines for name in line.partition(": ")[2].split(", ")} - {"not drawn"}
    assert shown == set(sample(2, 7))
    assert sum(line.endswith(": not drawn") for line in lines) == len(Group) - 2


def test_seeds_reach_every_category() -> None:
    drawn = {name for seed in range(60) for name in sample(8, seed)}
    assert drawn == set(category_ids())


def test_a_new_category_takes_at_most_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {seed: set(sample(8, seed)) for seed in range(20)}
    grown = {**sampling.groups_of(), "zeal": "tests"}
    monkeypatch.setattr(sampling, "groups_of", lambda: grown)
    assert any("zeal" in sample(16, seed) for seed in before)
    assert all(len(before[seed] - set(sample(8, seed))) <= 1 for seed in before)


def test_oversized_sample_holds_every_category() -> None:
    assert sample(1_000, 0) == category_ids()


@pytest.mark.parametrize("mode", Mode)
def test_each_explorer_gets_its_category_the_mode_and_the_scope(mode: Mode) -> None:
    node = dispatch(mode=mode, scope="/srv/a $GROUP_ID")
    calls = [read_call(EXPLORE, agent.invoke.command.words) for agent in node.agents]
    assert tuple(call.context.step_state["category"] for call in calls) == sample(4, 7)
    assert {call.context.step_state["mode"] for call in calls} == {mode}
    assert {call.context.step_state["scope"] for call in calls} == {"/srv/a $GROUP_ID"}


def test_dispatch_names_one_read_only_role_and_no_text_names_another() -> None:
    assert dispatch().agent is AgentRole.EXPLORE
    assert not {Tool.AGENT, Tool.EDIT, Tool.WRITE} & set(read_definition(AgentRole.EXPLORE).tools)
    texts = " ".join(node.value for step in WORKFLOW.steps.values() for node in step.actions if isinstance(node, Text))
    others = set(AgentRole) - {AgentRole.EXPLORE}
    assert not [role for role in others if role in texts]


@pytest.mark.parametrize("mode", Mode)
def test_the_largest_dispatch_fits_into_what_clients_show(mode: Mode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKFLOW_PYTHON", "/home/somebody/.local/share/uv/tools/stepscript/bin/python -P")
    values = state_of(mode=mode, scope=LONG, n=MAX_EXPLORERS, seed=MAX_SEED)
    assert len(render(WORKFLOW.run("dispatch", WORKFLOW.context("dispatch", values)))) < 10_000


@pytest.mark.parametrize(("seed", "following"), [(0, 1), (MAX_SEED, 0)])
def test_the_report_names_the_command_that_repeats_the_run_and_one_of_another_sample(seed: int, following: int) -> None:
    context = WORKFLOW.context("report", state_of(seed=seed))
    texts = " ".join(node.value for node in walk(WORKFLOW.run("report", context)) if isinstance(node, Text))
    for command, wanted in ((again(context), seed), (another(context), following)):
        assert str(command) in texts
        call = read_call(WORKFLOW, Command.read(str(command)).words)
        assert call.step == 1
        assert call.context.step_state == state_of(seed=wanted)


def test_mode_step_leads_to_the_report_without_anything_to_examine() -> None:
    assert WORKFLOW.steps["mode"].target(Outcome.FAIL) == "report"
