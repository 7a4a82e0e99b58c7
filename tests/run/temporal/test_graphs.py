"""The graph that a run carries: the steps that it accepts, and its differences from another graph."""

import pytest
from attrs import evolve

from lib.workflow.codec import codec
from lib.workflow.command import Command, flags
from lib.workflow.core import StepDef, Workflow
from lib.workflow.errors import UsageError
from lib.workflow.run.graphs import Graphs, Pinned, Script, graphs_of
from lib.workflow.types import Outcome
from tests.run.runs import KNOWN

WORKFLOWS = tuple(KNOWN.workflows.values())
GRAPHS = graphs_of(WORKFLOWS)
REFACTOR = "skills.refactor.refactor"


def test_every_step_with_its_parameters_is_accepted() -> None:
    pinned = Pinned(GRAPHS)
    for workflow in WORKFLOWS:
        for number, step in enumerate(workflow.steps, 1):
            taken = {name: False if one.type is bool else "-x" for name, one in workflow.taken_by(step).items()}
            command = Command(workflow.module, flags({"step": number, **taken}))
            assert pinned.accept(command) == command


@pytest.mark.parametrize(
    ("module", "words", "says"),
    [
        ("os", ("--step", "1"), "'os'"),
        ("skills.planner.cli.plan", ("--state-dir", "/x", "init"), "skills.planner.cli.plan"),
        (REFACTOR, ("--step", "99"), "'99'"),
        (REFACTOR, ("--step", "0"), "'0'"),
        (REFACTOR, ("--step", "²"), "'²'"),
        (REFACTOR, (), REFACTOR),
        (REFACTOR, ("--step",), REFACTOR),
        (REFACTOR, ("--step", "1", "--mroe", "x"), "'--mroe'"),
        (REFACTOR, ("--step", "1", "--mroe=x"), "'--mroe'"),
    ],
)
def test_other_commands_are_refused(module: str, words: tuple[str, ...], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        Pinned(GRAPHS).accept(Command(module, words))


def test_a_strange_launcher_does_not_travel() -> None:
    command = Command(REFACTOR, ("--step", "1", "--scope", "x"), launcher=("/bin/rm", "-rf"))
    assert Pinned(GRAPHS).accept(command) == Command(command.module, command.words)


def _workflow(title: str = "Look", target: str | None = None) -> Workflow:
    look = StepDef(id="look", title=title, actions="Look.", next={Outcome.OK: target or "tell"})
    tell = StepDef(id="tell", title="Tell", actions="Tell.", next={Outcome.OK: None})
    return Workflow("seen", look, tell, module="tests.seen")


def test_changed_graph_changes_only_its_own_digest() -> None:
    before = Pinned(graphs_of([*WORKFLOWS, _workflow()])).digests
    after = Pinned(
        graphs_of(
            [
                *WORKFLOWS,
                Workflow(
                    "seen",
                    StepDef(id="look", title="Look", actions="Look.", next={Outcome.OK: None}),
                    module="tests.seen",
                ),
            ]
        )
    ).digests
    assert {module for module in before if before[module] != after[module]} == {"tests.seen"}
    assert graphs_of(WORKFLOWS[:3]).digest != graphs_of(WORKFLOWS[:2]).digest


def test_changed_texts_do_not_change_the_graph() -> None:
    assert graphs_of([_workflow("Look")]) == graphs_of([_workflow("Look about")])


def test_graphs_survive_a_round_trip_through_the_codec() -> None:
    assert codec(Graphs).loads(codec(Graphs).dumps(GRAPHS)) == GRAPHS
    assert len({script.digest for script in GRAPHS.scripts}) == len(GRAPHS.scripts)
    first = GRAPHS.scripts[0]
    assert evolve(first, module="other").digest != Script(module=first.module, steps=first.steps).digest
