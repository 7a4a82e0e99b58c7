"""The run's host, as an agent's worker on another host sees it."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from attrs import evolve, frozen
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from lib.workflow.app.runs.hosts.apart import host_cast
from lib.workflow.command import Command
from lib.workflow.run.clients.job import Job
from lib.workflow.run.journal.spec import Spec
from lib.workflow.run.local import title_of
from lib.workflow.run.temporal.apart.changes import packed, unpacked
from lib.workflow.run.temporal.apart.commands import Allowed
from lib.workflow.run.temporal.apart.desk import Desk
from lib.workflow.run.temporal.apart.shipping import Shipper
from lib.workflow.run.temporal.apart.wire import CloseCall, CommandCall, CommandSaid, OpenCall, OpenSaid
from lib.workflow.run.temporal.connection import connected
from lib.workflow.run.temporal.host import Host
from lib.workflow.run.temporal.place import Record, errand_of, id_of, write_record
from lib.workflow.run.temporal.sealing import STORE
from lib.workflow.run.worktrees.repository import Repository
from lib.workflow.run.worktrees.tree import Record as TreeRecord
from lib.workflow.run.worktrees.tree import Tree
from lib.workflow.run.worktrees.twins import At, Twin
from lib.workflow.types import AgentRole
from tests.run.runs import KNOWN
from tests.run.temporal.servers import Server
from tests.run.temporal.stages import DIGESTS
from tests.run.worktrees.projects import BRANCH, begun, project, run_in, shown, write
from tests.security.repositories import git

START = Command("tests.workflows.survey.run", ("--step", "1", "--state-dir", "x"))
JOB = Job(key="2.1", role=AgentRole.EXPLORE, prompt="Look", command=str(START))
T = TypeVar("T")


@frozen
class Far:
    """An agent's host, and the run's."""

    root: Path
    folder: str
    desk: Desk
    shipper: Shipper
    run: str
    twin: Twin

    async def ask(self, activity: Callable[..., Awaitable[T]], call: object) -> T:
        """Return the result of an activity of the run's host."""
        environment = ActivityEnvironment()
        environment.info = replace(environment.info, workflow_id=errand_of(self.run))
        done: T = await environment.run(activity, call)
        return done

    async def open(self, token: str, job: Job = JOB) -> OpenSaid:
        """Start an attempt."""
        said = await self.ask(self.desk.open, OpenCall(job=job, token=token, known=()))
        if said.change is not None:
            await unpacked(self.shipper, self.twin.tree.repository, said.change, strict=True)
            self.twin.tree.discard()
            self.twin.tree.forget()
            at = said.change.at
            self.twin.tree.make(TreeRecord(base=at.head))
            self.twin.turn(At(head=at.head, files=at.head), at)
        return said

    def command(self, token: str, common: At, *words: str) -> CommandCall:
        """Return the call for a command."""
        return CommandCall(
            key=JOB.key, leads=False, token=token, words=words, given="", common=common, change=None, known=()
        )

    async def close(self, token: str, common: At, text: str | None, job: Job = JOB) -> str:
        """End an attempt with all changes, and return why it has failed."""
        at = self.twin.look(common)
        change = None if at == common else await packed(self.shipper, self.twin.tree.repository, at, [common.files])
        call = CloseCall(job=job, token=token, text=text, common=common, change=change)
        return (await self.ask(self.desk.close, call)).failed


async def far_from(server: Server, tmp_path: Path) -> Far:
    """Return two hosts, with a run."""
    root = project(tmp_path / "one")
    place, run = begun(root, each=True), os.path.join(run_in(root), "driver")
    spec = Spec(workflow="survey", start=str(START), agent="cat")
    record = Record(id=id_of("q", run), queue="q", root="/", spec=spec, address="", namespace="", apart=True)
    write_record(run, record)
    client = await connected(server.address, "default")
    host = Host(lambda _, __: host_cast(place, place.folder), KNOWN, lambda: DIGESTS)
    desk = Desk(host, client, Allowed(("skills", "tests.workflows"), KNOWN.graphs))
    repository = tmp_path / "two"
    repository.mkdir()
    git(repository, "init", "-q")
    twin = Twin(Tree(Repository(str(repository)), str(tmp_path / "trees" / "1128-7e57.2.1")))
    return Far(root, run_in(root), desk, Shipper(client, record.id), record.id, twin)


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "store").mkdir()
    monkeypatch.setenv(STORE, str(tmp_path / "store"))


def at_of(said: OpenSaid) -> At:
    assert said.change is not None
    return said.change.at


def test_command_prints_its_page_and_new_files_of_the_run_come_along(server: Server, tmp_path: Path) -> None:
    async def act() -> CommandSaid:
        far = await far_from(server, tmp_path)
        at = at_of(await far.open("1"))
        call = far.command("1", at, "tests.workflows.area.run", "--step", "1", "--state-dir", far.folder)
        Path(far.folder, "notes.md").write_text("n\n")
        return await far.ask(far.desk.command, call)

    said = asyncio.run(act())
    assert (said.status, said.change) == (0, None)
    assert title_of(said.out).startswith("area 1/")
    assert [copy.name for copy in said.copies] == ["notes.md"]


@pytest.mark.parametrize(
    "words",
    [
        ("skills.planner.cli.plan", "--state-dir", "{run}", "get"),
        ("tests.workflows.area.run", "--step", "1", "--state-dir", "/"),
        ("os", "--state-dir", "{run}"),
    ],
)
def test_command_beyond_the_run_is_refused(words: tuple[str, ...], server: Server, tmp_path: Path) -> None:
    async def act() -> CommandSaid:
        far = await far_from(server, tmp_path)
        at = at_of(await far.open("1"))
        given = (word.replace("{run}", far.folder) for word in words)
        return await far.ask(far.desk.command, far.command("1", at, *given))

    said = asyncio.run(act())
    assert (said.status, said.out) == (2, "")


def test_abandoned_attempt_changes_nothing(server: Server, tmp_path: Path) -> None:
    async def act() -> None:
        far = await far_from(server, tmp_path)
        common = at_of(await far.open("1"))
        assert at_of(await far.open("2")).head == common.head
        words = ("tests.workflows.area.run", "--step", "1", "--state-dir", far.folder)
        assert (await far.ask(far.desk.command, far.command("1", common, *words))).status == 1
        write(far.twin.tree.path, "late.py", "1\n")
        assert await far.close("1", common, "done")
        with pytest.raises(ApplicationError, match=r"^Stale"):
            await far.open("1")
        assert (await far.ask(far.desk.command, far.command("2", common, *words))).status == 0
        assert not list(far.root.rglob("late.py"))

    asyncio.run(act())


def test_work_is_merged_once_and_its_reply_is_kept(server: Server, tmp_path: Path) -> None:
    async def act() -> None:
        far = await far_from(server, tmp_path)
        common = at_of(await far.open("1"))
        write(far.twin.tree.path, "new.py", "1\n")
        tree = Path(far.folder, "worktrees", "1128-7e57")
        for _ in range(2):
            assert await far.close("1", common, "done") == ""
            assert (tree / "new.py").read_text() == "1\n"
        assert (await far.open("2")).reply == "done"

    asyncio.run(act())


def test_failed_attempt_keeps_its_work_for_the_next_one(server: Server, tmp_path: Path) -> None:
    async def act() -> None:
        far = await far_from(server, tmp_path)
        common = at_of(await far.open("1"))
        write(far.twin.tree.path, "half.py", "1\n")
        assert await far.close("1", common, None) == ""
        await far.open("2")
        assert Path(far.twin.tree.path, "half.py").read_text() == "1\n"
        assert not Path(far.folder, "worktrees", "1128-7e57", "half.py").exists()

    asyncio.run(act())


def test_changes_of_a_command_whose_answer_was_lost_are_kept(server: Server, tmp_path: Path) -> None:
    async def act() -> None:
        far = await far_from(server, tmp_path)
        said = await far.open("1")
        write(said.tree, "by-the-command.py", "1\n")
        write(far.twin.tree.path, "by-the-agent.py", "1\n")
        assert await far.close("1", at_of(said), "done") == ""
        names = {path.name for path in Path(far.folder, "worktrees", "1128-7e57").iterdir()}
        assert {"by-the-command.py", "by-the-agent.py"} <= names

    asyncio.run(act())


def test_conflict_is_a_failed_attempt_and_a_branch_keeps_the_changes(server: Server, tmp_path: Path) -> None:
    async def act() -> None:
        far, other = await far_from(server, tmp_path), evolve(JOB, key="2.2")
        first, second = at_of(await far.open("1")), at_of(await far.open("1", other))
        write(far.twin.tree.path, "a.py", "one\n")
        assert await far.close("1", first, "done") == ""
        write(far.twin.tree.path, "a.py", "two\n")
        assert "a.py" in await far.close("1", second, "done", other)
        assert shown(far.root, "a.py", f"{BRANCH}+2.2") == "two\n"

    asyncio.run(act())


def test_agent_on_a_page_works_in_the_runs_own_worktree(server: Server, tmp_path: Path) -> None:
    async def act() -> None:
        far, job = await far_from(server, tmp_path), evolve(JOB, key="1.thinks", page="<p/>")
        tree = Path(far.folder, "worktrees", "1128-7e57")
        write(str(tree), "before.py", "1\n")
        said = await far.open("1", job)
        assert said.tree == str(tree)
        write(far.twin.tree.path, "note.py", "1\n")
        git(Path(far.twin.tree.path), "add", ".")
        git(Path(far.twin.tree.path), "commit", "-q", "-m", "As the page says")
        write(str(tree), "meanwhile.py", "1\n")
        assert await far.close("1", at_of(said), "done", job) == ""
        assert {"before.py", "note.py", "meanwhile.py"} <= {path.name for path in tree.iterdir()}
        assert git(far.root, "log", "-1", "--format=%s", BRANCH).strip() == "As the page says"

    asyncio.run(act())
