"""The walk along every printed command, and the targets of the commands."""

import re
import sys
from pathlib import Path

import pytest

from lib.workflow.command import Command
from lib.workflow.errors import UsageError
from lib.workflow.testing import walk as walking
from lib.workflow.testing.findings import Fault
from lib.workflow.testing.proof import Proof
from lib.workflow.testing.walk import walk_workflow
from tests.subjects import PROOF, first


def test_a_walk_takes_every_branch_and_ends() -> None:
    walk = PROOF.walks["problem-analysis"]
    rounds = [PROOF.targets.values(command)["iteration"] for command in walk.ways if "--iteration" in command.words]
    assert sorted(rounds, key=str) == [2, 3, 4, 5]
    assert sum(not following for following in walk.ways.values()) == 1
    assert not walk.findings


def test_dispatched_commands_are_walked_in_their_own_workflow() -> None:
    walk = PROOF.walks["review"]
    assert {command.words[:2] for command in walk.dispatched} == {("--step", "1")}
    assert set(walk.dispatched) <= walk.ways.keys()


CREW = {
    "worker": """
from typing import Annotated, Literal
from lib.workflow.core import Arg, Outcome, StepContext, StepDef, Workflow

def work(
    context: StepContext, part: Annotated[str, Arg(choices=("a", "b", "c"), samples=("a",))]
) -> tuple[Literal[Outcome.OK], dict[str, str]]:
    return Outcome.OK, {}

WORKFLOW = Workflow(
    "worker",
    StepDef(id="work", title="Work", actions="Work.", handler=work, next={Outcome.OK: None}),
    module="crew.worker",
)
""",
    "boss": """
from lib.workflow.ast.step import Invoke
from lib.workflow.command import Command
from lib.workflow.core import Outcome, StepDef, Workflow

WORKFLOW = Workflow(
    "boss",
    StepDef(
        id="share",
        title="Share",
        actions=tuple(Invoke(Command("crew.worker", ("--step", "1", "--part", part))) for part in "abcd"),
        next={Outcome.OK: None},
    ),
    module="crew.boss",
)
""",
}


def test_walk_follows_accepted_dispatch_samples_and_reports_refused_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "crew").mkdir()
    for name, text in {"__init__": "", **CREW}.items():
        (tmp_path / "crew" / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    with Proof("crew") as proof:
        walked = [command.words for command in proof.walks["worker"].ways]
        refused = [finding.what for case in proof.cases["boss"] for finding in proof.of_case(case)]
    assert walked == [("--step", "1", "--part", "a")]
    assert len(refused) == 1
    assert "--part d" in refused[0]


def test_a_walk_without_end_is_given_up_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "MOST", 3)
    workflow = PROOF.targets.workflows["skills.problem_analysis.analyze"]
    walk = walk_workflow(workflow, [first(workflow)], PROOF.prints)
    assert [finding.fault for finding in walk.findings] == [Fault.LOOP]


def test_a_command_that_runs_no_workflow_is_taken_by_its_modules_own_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tool.py").write_text(
        "from lib.workflow.errors import UsageError\n"
        "def accepts(words):\n"
        "    if words != ('get',):\n"
        "        raise UsageError('it takes get')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    PROOF.targets.accept(Command("tool", ("get",)))
    with pytest.raises(UsageError, match=r"\bget\b"):
        PROOF.targets.accept(Command("tool", ("set",)))
    del sys.modules["tool"]


@pytest.mark.parametrize("module", ["no.such.module", "os.path"])
def test_a_command_without_a_target_is_refused(module: str) -> None:
    with pytest.raises(UsageError, match=re.escape(module)):
        PROOF.targets.accept(Command(module, ()))
