"""The run's host, as an agent's worker on another host sees it."""

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
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
from lib.workflow.run.temporal.apart.commands import Allowed
from lib.workflow.run.temporal.apart.desk import Desk
from lib.workflow.run.temporal.apart.mirrors import Mirror, packed, unpacked
from lib.workflow.run.temporal.apart.shipping import Shipper
from lib.workflow.run.temporal.apart.wire import (
    CloseCall,
    CommandCall,
    CommandSaid,
    Found,
    Known,
    OpenCall,
    OpenSaid,
    Sent,
)
from lib.workflow.run.temporal.connection import connected
from lib.workflow.run.temporal.host.host import Host
from lib.workflow.run.temporal.host_record import Record, write_record
from lib.workflow.run.temporal.payloads.stores import STORE
from lib.workflow.run.temporal.place import errand_of, id_of
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
DATA = 20_000
"""Bytes of a file that no pack makes much smaller."""
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


def scratch_in(folder: str) -> Path:
    """Return a repository in a run directory, with two commits, a tag for the first and a change in its files."""
    path = Path(folder, "scratch")
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    write(str(path), "data", os.urandom(DATA // 2).hex())
    for number in (1, 2):
        write(str(path), "code.py", f"{number}\n" * 9)
        git(path, "add", ".")
        git(path, "commit", "-q", "-m", f"M-00{number}")
        if number == 1:
            git(path, "tag", "base")
    write(str(path), "new.py", "1\n")
    return path


async def size(far: Far, found: Found) -> int:
    """Return the bytes of a pack."""
    with TemporaryFile() as file:
        await far.shipper.fetch(found.change.pack, file)
        return len(file.read())


def mirror(far: Far, tmp_path: Path) -> Mirror:
    """Return its mirror on the agent's host."""
    return Mirror(far.shipper, str(tmp_path / "repositories" / "scratch"), str(tmp_path / "trees" / "scratch"))


def test_repository_of_the_run_directory_is_the_same_on_both_hosts(server: Server, tmp_path: Path) -> None:
    (tmp_path / "repositories").mkdir()

    async def act() -> None:
        far = await far_from(server, tmp_path)
        scratch, one = scratch_in(far.folder), mirror(far, tmp_path)
        (found,) = (await far.open("1")).repositories
        assert found.name == "scratch"
        assert await size(far, found) > DATA / 4
        assert one.begin() == ()
        await one.make(found.change, found.tags)
        there = Path(one.twin.tree.path)
        assert (there / "new.py").read_text() == "1\n"
        assert git(there, "log", "--format=%s") == "M-002\nM-001\n"
        assert git(there, "diff", "--name-only", "base", "--") == "code.py\nnew.py\n"

        write(str(there), "code.py", "3\n")
        common, change = await one.changed()
        assert change is not None
        call = far.command(
            "1", at_of(await far.open("1")), "tests.workflows.area.run", "--step", "1", "--state-dir", far.folder
        )
        sent = Sent(name="scratch", common=common, change=change)
        assert (await far.ask(far.desk.command, evolve(call, repositories=(sent,)))).repositories == ()
        await one.equal(change, None)
        assert (scratch / "code.py").read_text() == "3\n"

        git(scratch, "commit", "-q", "-a", "-m", "M-003")
        common, change = await one.changed()
        assert change is None
        sent = Sent(name="scratch", common=common, change=None)
        (found,) = (await far.ask(far.desk.command, evolve(call, repositories=(sent,)))).repositories
        await one.equal(None, found.change, found.tags)
        assert git(there, "log", "-1", "--format=%s") == "M-003\n"
        assert git(there, "status", "--porcelain") == ""

        (known,) = (Known(name="scratch", commits=one.begin()),)
        again = await far.ask(far.desk.open, OpenCall(job=JOB, token="2", known=(), has=(known,)))
        (found,) = again.repositories
        assert await size(far, found) < DATA / 4  # without what the host has had
        await one.make(found.change, found.tags)
        assert git(there, "log", "--format=%s") == "M-003\nM-002\nM-001\n"

    asyncio.run(act())


def test_changes_of_such_a_repository_are_merged_and_a_conflict_is_a_failed_attempt(
    server: Server, tmp_path: Path
) -> None:
    (tmp_path / "repositories").mkdir()

    async def act() -> None:
        far = await far_from(server, tmp_path)
        scratch, one = scratch_in(far.folder), mirror(far, tmp_path)
        said = await far.open("1")
        (found,) = said.repositories
        one.begin()
        await one.make(found.change, found.tags)
        write(one.twin.tree.path, "mine.py", "1\n")
        write(str(scratch), "other.py", "1\n")
        assert await close_with(far, one, said, "1") == ""
        assert {"mine.py", "other.py", "new.py"} <= {path.name for path in scratch.iterdir()}

        said = await far.open("2")
        (found,) = said.repositories
        await one.make(found.change, found.tags)
        write(one.twin.tree.path, "code.py", "mine\n")
        write(str(scratch), "code.py", "other\n")
        assert "code.py" in await close_with(far, one, said, "2")
        assert (scratch / "code.py").read_text() == "other\n"

        said = await far.open("3")
        (found,) = said.repositories
        await one.make(found.change, found.tags)
        write(one.twin.tree.path, "code.py", "mine\n")
        shutil.rmtree(scratch)
        assert "scratch" in await close_with(far, one, said, "3")
        assert not scratch.exists()

    asyncio.run(act())


async def close_with(far: Far, one: Mirror, said: OpenSaid, token: str) -> str:
    """End an attempt that has changed a mirror only, and return why it has failed."""
    common, change = await one.changed()
    sent = (Sent(name="scratch", common=common, change=change),)
    call = CloseCall(job=JOB, token=token, text=None, common=at_of(said), change=None, repositories=sent)
    return (await far.ask(far.desk.close, call)).failed
