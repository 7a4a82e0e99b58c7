"""Effects of each command on a plan."""

from collections.abc import Callable

import pytest
from attrs import evolve

from lib.workflow.ast.nodes import Element
from skills.planner.schema.plan.document import InvisibleKnowledge, Plan
from skills.planner.schema.plan.versions import version_of
from skills.planner.state.files import plan_store
from tests.skills.planner import console
from tests.skills.planner.plans import DIFF, PLAN

OVERVIEW = str(version_of(PLAN.overview))
CONSTRAINT = str(version_of("MUST: Python 3.11"))
MADE: dict[str, tuple[tuple[str, ...], str, int, Callable[[Plan], object], object]] = {
    "a comma splits nothing": (
        ("set-milestone", "--name", "x", "--requirement", "returns X, and Y"),
        "M-003",
        1,
        lambda plan: plan.milestones[2].requirements,
        ("returns X, and Y",),
    ),
    "a list is repeated flags": (
        ("set-milestone", "--id", "M-001", "--version", "1", "--file", "a.py", "--file", "./b.py"),
        "M-001",
        2,
        lambda plan: plan.milestones[0].files,
        ("a.py", "b.py"),
    ),
    "an optional field is cleared": (
        ("set-risk", "--id", "R-001", "--version", "1", "--no-decision-ref"),
        "R-001",
        2,
        lambda plan: plan.planning_context.risks[0].decision_ref,
        None,
    ),
    "a list is cleared": (
        ("set-intent", "--id", "CI-M-001-001", "--version", "1", "--no-decision-ref"),
        "CI-M-001-001",
        2,
        lambda plan: plan.milestones[0].code_intents[0].decision_refs,
        (),
    ),
    "a criterion is added to those that are there": (
        ("set-milestone", "--id", "M-001", "--version", "1", "--add-criterion", "x", "--add-test", "file:t.py"),
        "M-001",
        2,
        lambda plan: (plan.milestones[0].acceptance_criteria, plan.milestones[0].tests),
        (("a forged token gives 401", "x"), ("file:t.py",)),
    ),
    "a criterion is removed by a part of it": (
        ("set-milestone", "--id", "M-001", "--version", "1", "--remove-criterion", "forged", "--add-file", "b.py"),
        "M-001",
        2,
        lambda plan: (plan.milestones[0].acceptance_criteria, plan.milestones[0].files),
        ((), ("src/auth.py", "b.py")),
    ),
    "a text is replaced in place": (
        ("set-milestone", "--id", "M-001", "--version", "1", "--replace", "gives 401", "is refused"),
        "M-001",
        2,
        lambda plan: plan.milestones[0].acceptance_criteria,
        ("a forged token is refused",),
    ),
    "a line of a diff is replaced": (
        ("set-change", "--id", "CC-M-001-001", "--version", "1", "--replace", "+new", "+newer"),
        "CC-M-001-001",
        2,
        lambda plan: plan.milestones[0].code_changes[0].diff,
        DIFF.replace("+new", "+newer"),
    ),
    "a constraint is changed in one place": (
        ("set-constraint", "--id", "C-001", "--version", CONSTRAINT, "--replace", "3.11", "3.12"),
        "C-001",
        version_of("MUST: Python 3.12"),
        lambda plan: plan.planning_context.constraints,
        ("MUST: Python 3.12",),
    ),
    "a milestone joins a wave": (
        ("set-wave", "--id", "W-001", "--version", "1", "--add-milestone", "M-001"),
        "W-001",
        2,
        lambda plan: plan.waves[0].milestones,
        ("M-001",),
    ),
    "what is not said stays": (
        ("set-decision", "--id", "DL-001", "--version", "1", "--decision", "x"),
        "DL-001",
        2,
        lambda plan: plan.planning_context.decisions[0].reasoning,
        "many calls -> bcrypt is slow -> HMAC",
    ),
    "an overview has a version of its own": (
        ("set-overview", "--version", OVERVIEW, "--approach", "x"),
        "overview",
        version_of(evolve(PLAN.overview, approach="x")),
        lambda plan: (plan.overview.problem, plan.overview.approach, plan.version),
        ("Anybody gets in", "x", 2),
    ),
    "a constraint's id is its place": (
        ("set-constraint", "--constraint", "x"),
        "C-002",
        version_of("x"),
        lambda plan: plan.planning_context.constraints,
        ("MUST: Python 3.11", "x"),
    ),
    "knowledge that says nothing needs no version": (
        ("set-knowledge", "--system", "x", "--invariant", "y", "--no-tradeoff"),
        "knowledge",
        version_of(InvisibleKnowledge(system="x", invariants=("y",))),
        lambda plan: (plan.invisible_knowledge.system, plan.invisible_knowledge.invariants),
        ("x", ("y",)),
    ),
    "a risk is a command": (
        ("set-risk", "--risk", "x", "--mitigation", "y", "--anchor", "src/a.py:L1-L2"),
        "R-002",
        1,
        lambda plan: plan.planning_context.risks[1].anchor,
        "src/a.py:L1-L2",
    ),
    "so is a rejected alternative": (
        ("set-rejected-alternative", "--alternative", "x", "--reason", "y", "--decision-ref", "DL-001"),
        "RA-002",
        1,
        lambda plan: plan.planning_context.rejected_alternatives[1].reason,
        "y",
    ),
    "a change of another file than the intent's": (
        ("set-change", "--intent-ref", "CI-M-001-001", "--file", "t.py", "--diff", DIFF.replace("src/auth.py", "t.py")),
        "CC-M-001-002",
        1,
        lambda plan: plan.milestones[0].code_changes[1].file,
        "t.py",
    ),
    "a change is removed": (
        ("remove-change", "--id", "CC-M-001-001", "--version", "1"),
        "CC-M-001-001",
        1,
        lambda plan: plan.milestones[0].code_changes,
        (),
    ),
    "a constraint is removed": (
        ("remove", "--id", "C-001", "--version", CONSTRAINT),
        "C-001",
        int(CONSTRAINT),
        lambda plan: plan.planning_context.constraints,
        (),
    ),
    "an intent is numbered in its milestone": (
        ("set-intent", "--milestone", "M-001", "--file", "a.py", "--behavior", "x"),
        "CI-M-001-002",
        1,
        lambda plan: [intent.id for intent in plan.milestones[0].code_intents],
        ["CI-M-001-001", "CI-M-001-002"],
    ),
    "a change takes the file of its intent": (
        ("set-change", "--intent-ref", "CI-M-001-001", "--diff", DIFF.rstrip("\n")),
        "CC-M-001-002",
        1,
        lambda plan: (plan.milestones[0].code_changes[1].file, plan.milestones[0].code_changes[1].diff),
        ("src/auth.py", DIFF),
    ),
    "comments are cleared": (
        ("set-doc", "--id", "CC-M-001-001", "--version", "1", "--no-comments"),
        "CC-M-001-001",
        2,
        lambda plan: plan.milestones[0].code_changes[0].comments,
        "",
    ),
    "a node is numbered": (
        ("add-diagram-node", "--diagram", "DIAG-001", "--label", "x"),
        "node-001",
        2,
        lambda plan: plan.diagram_graphs[0].nodes[2].label,
        "x",
    ),
    "a node is replaced by who knows the version": (
        ("add-diagram-node", "--diagram", "DIAG-001", "--node", "api", "--label", "x", "--version", "1"),
        "api",
        2,
        lambda plan: [node.label for node in plan.diagram_graphs[0].nodes],
        ["x", "Auth"],
    ),
    "an edge is removed by its place": (
        ("remove", "--id", "DIAG-001", "--version", "1", "--edge", "1"),
        "DIAG-001",
        2,
        lambda plan: plan.diagram_graphs[0].edges,
        (),
    ),
    "an entity is removed": (
        ("remove", "--id", "RA-001", "--version", "1"),
        "RA-001",
        1,
        lambda plan: plan.planning_context.rejected_alternatives,
        (),
    ),
    "a wave comes last": (
        ("set-wave", "--id", "W-001", "--version", "1", "--milestone", "M-001"),
        "W-001",
        2,
        lambda plan: [wave.milestones for wave in plan.waves],
        [("M-001",)],
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_each_command_makes_its_change(state: str, name: str) -> None:
    words, entity, version, read, expected = MADE[name]
    ran = console.plan(state, *words)
    assert (ran.status, ran.err) == (0, "")
    assert (ran.result.id, ran.result.version) == (entity, version)
    assert read(plan_store(state).load()) == expected


def notes(ran: console.Ran) -> list[Element]:
    return [node for node in ran.nodes if isinstance(node, Element) and node.tag == "note"]


def test_documentation_milestone_drops_its_code_and_wave_with_a_note(state: str) -> None:
    ran = console.plan(state, "set-milestone", "--id", "M-001", "--version", "1", "--is-documentation-only")
    plan = plan_store(state).load()
    assert (plan.milestones[0].code_intents, plan.milestones[0].code_changes, plan.waves) == ((), (), ())
    said = " ".join(str(note.children) for note in notes(ran))
    assert all(gone in said for gone in ("CI-M-001-001", "CC-M-001-001", "W-001"))


def test_milestone_becomes_code_again_with_a_note_of_what_it_lacks(state: str) -> None:
    console.plan(state, "set-milestone", "--id", "M-001", "--version", "1", "--is-documentation-only")
    ran = console.plan(state, "set-milestone", "--id", "M-001", "--version", "2", "--no-is-documentation-only")
    assert ran.result.version == 3
    assert len(notes(ran)) == 1
    assert console.plan(state, "set-wave", "--milestone", "M-001").result.id == "W-001"


def test_changing_a_graph_drops_its_drawing_with_a_note(state: str) -> None:
    ran = console.plan(state, "add-diagram-node", "--diagram", "DIAG-001", "--label", "Cache")
    assert plan_store(state).load().diagram_graphs[0].ascii_render is None
    assert len(notes(ran)) == 1


def test_shared_wave_keeps_its_other_milestones(state: str) -> None:
    console.plan(state, "set-milestone", "--name", "More", "--file", "more.py")
    console.plan(state, "set-wave", "--id", "W-001", "--version", "1", "--milestone", "M-001", "--milestone", "M-003")
    console.plan(state, "set-milestone", "--id", "M-001", "--version", "1", "--is-documentation-only")
    (wave,) = plan_store(state).load().waves
    assert (wave.milestones, wave.version) == (("M-003",), 3)


def test_a_milestone_that_was_code_in_name_only_leaves_the_waves_alone(state: str) -> None:
    console.plan(state, "set-milestone", "--name", "Later")
    ran = console.plan(state, "set-milestone", "--id", "M-003", "--version", "1", "--is-documentation-only")
    assert (ran.result.version, notes(ran)) == (2, [])
    assert plan_store(state).load().waves == PLAN.waves
