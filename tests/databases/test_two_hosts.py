"""A run of the planner on two hosts that share a database: the orchestrator is on one, all agents are on the other."""

import re
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.ast.parse import parse
from lib.workflow.ast.results import Refusal
from lib.workflow.command import Command
from lib.workflow.state.database.addresses import folder_of
from lib.workflow.state.run_dirs import run_folders
from lib.workflow.testing.inprocess import environment, run_here
from lib.workflow.testing.process import Ran
from lib.workflow.testing.reader import Reader
from lib.workflow.types import AgentRole
from skills.planner.modules import PLAN, PLANNER
from skills.planner.rehearsal import TASK
from skills.planner.schema.depth import Depth
from skills.planner.simulation import project
from skills.planner.simulation.builder import Builder
from skills.planner.state.run_state import RunState
from tests.databases.places import InDatabase


class Hosts:
    """Two hosts. A command of the orchestrator runs on the first, any other on the second."""

    def __init__(self, place: InDatabase) -> None:
        self.place = place
        self.ran = [0, 0]
        self.pages: list[str] = []

    def home(self, number: int) -> dict[str, str]:
        """Return the variables of a host."""
        return dict(self.place.environment(number))

    def folder(self, number: int) -> Path:
        """Return the run's folder on a host."""
        with environment(self.home(number)):
            return Path(folder_of(self.place.address))

    def run(self, command: Command, given: str = "") -> Ran:
        """Run a command on its host."""
        leads = command.module.startswith("skills.planner.orchestrator") or AgentRole.ORCHESTRATOR in command.words
        self.ran[not leads] += 1
        with environment(self.home(not leads)):
            ran = run_here(command, given)
        self.pages.append(ran.out)
        return ran


class Elsewhere(Builder):
    """Agents whose files are on the second host."""

    def __init__(self, hosts: Hosts, depth: Depth) -> None:
        super().__init__(hosts.run, 0, False)
        self.hosts = hosts
        self.depth = depth

    @property
    def state(self) -> RunState:
        return RunState(str(self.hosts.folder(1)))


@pytest.mark.parametrize("depth", Depth)
def test_a_plan_is_approved_by_agents_of_another_host(in_database: InDatabase, tmp_path: Path, depth: Depth) -> None:
    hosts = Hosts(in_database)
    place = tmp_path / "project"
    place.mkdir()
    project.begin(str(place))
    named = ("--state-dir", in_database.address)
    start = Command(PLANNER, ("--step", "1", *named, "--task", TASK))
    with environment(hosts.home(0)):
        assert run_here(Command(PLAN, (*named, "init", "--task", TASK, "--project-root", str(place)))).status == 0
    with environment(hosts.home(1)):
        assert main(["trust", in_database.address, "--yes"]) == 0
        Reader(Elsewhere(hosts, depth), hosts.run).read(start)
    with environment(hosts.home(0)):
        run = RunState(in_database.folder).run
    assert run.approval is not None
    assert min(hosts.ran) > 5
    first, second = (hosts.folder(number) for number in (0, 1))
    assert (first / "brief.md").read_bytes() == (second / "brief.md").read_bytes()
    assert not [path for folder in (first, second) for path in folder.glob("*.json")]

    shown = [match for page in hosts.pages for match in re.findall(r"--state-dir[ =]('[^']*'|\S+)", page)]
    assert set(shown) == {f"'{in_database.address}'"}


def test_another_host_changes_no_project_without_its_users_consent(in_database: InDatabase, tmp_path: Path) -> None:
    named = ("--state-dir", in_database.address)
    hosts = Hosts(in_database)
    with environment(hosts.home(0)):
        assert run_here(Command(PLAN, (*named, "init", "--task", TASK, "--project-root", str(tmp_path)))).status == 0
        assert in_database.folder not in run_folders(str(tmp_path))
    scratch = Command(PLAN, (*named, "scratch"))
    with environment(hosts.home(1)):
        ran = run_here(scratch)
        assert ran.status == 1
        (refusal,) = parse(ran.out).blocks
        assert isinstance(refusal, Refusal)
        assert refusal.code == "not-yours"
        assert main(["trust", in_database.address, "--yes"]) == 0
        assert "not-yours" not in run_here(scratch).out


def test_the_driver_leads_a_run_in_a_database(in_database: InDatabase, tmp_path: Path) -> None:
    with environment(dict(in_database.environment(0))):
        folder = Path(in_database.folder)
        assert main(["rehearse", "planner", "--keep", str(folder)]) == 0
        run = RunState(str(folder)).run
    assert run.finished
    assert {"run.json", "plan.json", "context.json", "plan.md"} <= in_database.documents().keys()
    assert (folder / "driver" / "journal.jsonl").exists()
    assert not list(folder.glob("*.json"))
