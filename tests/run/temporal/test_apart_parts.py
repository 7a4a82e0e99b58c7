"""The parts of runs whose agents work on other hosts: paths, commands, copies of files, the cache, the door."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.app.main import main
from lib.workflow.command import Command
from lib.workflow.command.command import LAUNCHER_VARIABLE
from lib.workflow.command.permissions import is_ours, opening
from lib.workflow.errors import UsageError
from lib.workflow.run.clients.job import Job
from lib.workflow.run.driver.activities import Printed
from lib.workflow.run.journal.spec import Spec
from lib.workflow.run.temporal.apart import cache
from lib.workflow.run.temporal.apart.commands import Allowed
from lib.workflow.run.temporal.apart.copies import gathered, is_repository_name, repositories, write
from lib.workflow.run.temporal.apart.door import opened
from lib.workflow.run.temporal.apart.spelling import LAUNCHER, Spelling
from lib.workflow.run.temporal.apart.wire import Copy, OpenSaid
from lib.workflow.run.temporal.host_record import Record, read_record, write_record
from lib.workflow.run.temporal.payloads.payloads import KEYS
from lib.workflow.run.temporal.payloads.stores import STORE
from lib.workflow.run.temporal.place import RECORD, errand_of, folder_of, id_of, queue_in, run_of
from lib.workflow.state.locks import locked
from lib.workflow.types import AgentRole
from tests.run.runs import KNOWN

Captured = pytest.CaptureFixture[str]
SPEC = Spec(workflow="planner", start="python -m skills.planner.orchestrator.planner --step 1", agent="cat")
FAR, TREE, PROGRAM = "/home/u/.cache/x/1128-7e57", "/home/u/.cache/x/1128-7e57/worktrees/1128-7e57.2.1", "/home/u/step"


def spelling(folder: str) -> Spelling:
    """Return the translation for an agent of the run in a folder."""
    tree = f"{folder}/worktrees/1128-7e57"
    said = OpenSaid(spec=SPEC, folder=folder, run_tree=tree, tree=f"{tree}.2.1")
    return Spelling(said, FAR, TREE, PROGRAM)


@pytest.mark.parametrize("root", ["/srv/shop", "/srv/a b/ü", "/srv/it's here"])
def test_paths_and_commands_of_a_page_are_those_of_the_agents_host(root: str) -> None:
    folder = f"{root}/.stepscript/runs/1128-7e57"
    spelled, tree = spelling(folder), f"{folder}/worktrees/1128-7e57"
    words = ("--state-dir", folder, "--file", f"{tree}.2.1/a b.py")
    there = Command("skills.x.y", ("--state-dir", FAR, "--file", f"{TREE}/a b.py"), (PROGRAM,))
    text = str(Command("skills.x.y", words, (LAUNCHER,)))
    for translated in (
        spelled.there(text),
        spelled.there(text.replace('"', "&quot;")),
        json.loads(spelled.there(json.dumps(text, ensure_ascii=False))),
    ):
        assert Command.read(translated) == there
    for before, after in (
        (f"See {folder}/plan.md. It is in {folder}.", f"See {FAR}/plan.md. It is in {FAR}."),
        (f"{tree}/src/a.py: {tree}.2.1/src", f"{TREE}/src/a.py: {TREE}/src"),
        (f"{tree}.2.10/a {folder}-2/b /mnt{folder}/c", f"{FAR}/worktrees/1128-7e57.2.10/a {folder}-2/b /mnt{folder}/c"),
    ):
        assert spelled.there(before) == after
    assert spelled.here(f"{TREE}/a.py, {FAR}/plan.md") == f"{tree}.2.1/a.py, {folder}/plan.md"
    assert spelled.here(FAR) == folder


def test_clients_may_run_the_commands_of_their_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LAUNCHER_VARIABLE, PROGRAM)
    page = spelling("/srv/1128-7e57").there(str(Command("skills.x.y", ("--step", "1"), (LAUNCHER,))))
    assert page.startswith(opening("skills"))
    assert is_ours(page, ["skills"])


def test_each_text_of_a_job_is_translated() -> None:
    folder = "/srv/runs/1128-7e57"
    job = Job(key="2.1", role=AgentRole.DEVELOPER, prompt=folder, told=folder, page=folder, command=folder)
    assert spelling(folder).job(job) == evolve(job, prompt=FAR, told=FAR, page=FAR, command=FAR)


def test_commands_of_the_runs_own_skill_are_accepted(tmp_path: Path) -> None:
    folder, start = str(tmp_path), Command("skills.planner.orchestrator.planner", ("--step", "1", "--state-dir", "x"))
    words = ("skills.planner.cli.plan", "--state-dir", folder, "set-risk", "--risk", "/etc is read; see ../x", "/users")
    for each in (words, ("tests.workflows.area.run", "--step", "1", "--state-dir", folder)):
        allowed = Allowed(("skills", "tests.workflows"), KNOWN.graphs)
        begun = start if each is words else Command("tests.workflows.survey.run", start.words)
        assert allowed.check(each, begun, folder, folder) == Command(each[0], each[1:])


@pytest.mark.parametrize(
    "words",
    [
        ("os", "--state-dir", "{run}"),
        ("skills.plannerx.cli", "--state-dir", "{run}"),
        ("skills.incoherence.cli.state", "--state-dir", "{run}"),
        ("lib.workflow.app.main", "--state-dir", "{run}"),
        ("-c", "--state-dir", "{run}"),
        ("skills.planner.cli.plan", "get"),
        ("skills.planner.cli.plan", "--state-dir", "{run}/other", "get"),
        ("skills.planner.cli.plan", "--state-dir={run}/../other", "get"),
        ("skills.planner.cli.plan", "--state-dir", "{run}", "--state-dir", "/tmp", "get"),
        ("skills.planner.cli.plan", "--state-dir", "{run}", "check", "--project-root", "/"),
        ("skills.planner.cli.plan", "--state-dir", "{run}", "check", "--project-root=/etc"),
        ("skills.planner.cli.plan", "--state-dir", "{run}", "check", "../.."),
        ("skills.planner.cli.plan", "--state-dir", "{run}", "render", "--out", "{run}/../new.md"),
        ("skills.planner.cli.plan", "--state-dir", "{run}", "render", "--out=../new.md"),
        ("skills.planner.cli.plan", "--state-dir", "{run}", "check", "out"),
        ("skills.planner.cli.plan", "--state-dir", "{run}", "a\nb"),
    ],
)
def test_commands_that_reach_beyond_the_run_are_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    folder, start = (
        tmp_path / "run",
        Command("skills.planner.orchestrator.planner", ("--step", "1", "--state-dir", "x")),
    )
    folder.mkdir()
    (folder / "out").symlink_to("/etc")
    given = tuple(word.replace("{run}", str(folder)) for word in words)
    with pytest.raises(UsageError):
        Allowed(("skills",), KNOWN.graphs).check(given, start, str(folder), str(folder))


def test_text_files_of_a_run_are_copied_when_they_change(tmp_path: Path) -> None:
    here, there = tmp_path / "1128-7e57", tmp_path / "there"
    (here / "driver").mkdir(parents=True)
    (here / "plan.md").write_text(f"in {here}\n")
    (here / "gone.md").write_text("x")
    (here / "binary").write_bytes(b"\xff")
    (here / ".lock").write_text("x")
    (here / "begun-here").write_text("x")
    (here / "link.md").symlink_to("/etc/passwd")
    first = gathered(str(here), ())
    assert [copy.name for copy in first] == ["gone.md", "plan.md"]
    write(first, str(there), spelling(str(here)))
    assert (there / "plan.md").read_text() == f"in {FAR}\n"
    known = [copy.digest for copy in first]
    assert gathered(str(here), known) == ()
    (here / "plan.md").write_text("new\n")
    (here / "gone.md").unlink()
    write(gathered(str(here), known), str(there), spelling(str(here)))
    assert {path.name: path.read_text() for path in there.iterdir()} == {"plan.md": "new\n"}


def test_repositories_of_a_run_directory_are_found_and_nothing_else(tmp_path: Path) -> None:
    for name in ("scratch", "scratch.new", ".hidden", "file"):
        (tmp_path / name / ".git").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "scratch")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / ".git").symlink_to(tmp_path / "scratch" / ".git")
    (tmp_path / "worktree").mkdir()
    (tmp_path / "worktree" / ".git").write_text("gitdir: /x\n")
    (tmp_path / "plain").mkdir()
    assert repositories(str(tmp_path)) == ("file", "scratch")


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/b", "", ".", "x.y", "x" * 101, "ü", "x\n"])
def test_name_that_no_such_repository_has_is_refused(name: str) -> None:
    assert not is_repository_name(name)


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/b"])
def test_copy_of_a_file_stays_in_its_folder(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "there"
    write([Copy(name=name, digest="x", text="x")], str(folder), spelling("/srv/1128-7e57"))
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()] == [
        f"there/{os.path.basename(name)}"
    ]


def test_errand_belongs_to_its_run() -> None:
    run = id_of("host", "/srv/1128-7e57/driver")
    errand = errand_of(run)
    assert errand != errand_of(run)
    assert (run_of(errand), run_of(run)) == (run, run)
    assert queue_in(run_of(errand)) == "host"
    with pytest.raises(ValueError, match=r"'\+"):
        folder_of(errand)


@pytest.mark.parametrize("apart", [False, True])
def test_only_records_of_such_runs_have_a_field_that_older_workers_refuse(apart: bool, tmp_path: Path) -> None:
    folder = str(tmp_path / "ü" / "driver")
    record = Record(id=id_of("q", folder), queue="q", root="/", spec=SPEC, address="", namespace="", apart=apart)
    write_record(folder, record)
    assert read_record(folder) == record
    assert ("apart" in json.loads(Path(folder, RECORD).read_text())) is apart


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> cache.Cache:
    """Return a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return cache.Cache(sys.executable)


def asked(program: str, words: tuple[str, ...], given: bytes | None, status: int = 0) -> tuple[object, str]:
    """Return what a door hears from the program, and what the program prints."""
    heard: list[object] = []

    async def answer(words: tuple[str, ...], given: str) -> Printed:
        heard.append((words, given))
        return Printed(status, "ö out\n", "errors\n")

    async def act() -> str:
        async with opened(answer) as path:
            assert os.stat(os.path.dirname(path)).st_mode & 0o077 == 0
            process = await asyncio.create_subprocess_exec(
                program,
                *words,
                stdin=subprocess.DEVNULL if given is None else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, "STEPSCRIPT_DOOR": path},
            )
            out, errors = await process.communicate(given)
            assert process.returncode == status
            assert errors == b"errors\n"
        assert not os.path.exists(os.path.dirname(path))
        return out.decode()

    out = asyncio.run(act())
    return heard[0], out


def test_command_of_an_agent_goes_through_the_door(program: cache.Cache) -> None:
    words = ("-m", "skills.x", "a b", "it's", "")
    assert asked(program.program, words, "ü\n".encode(), 3) == ((words[1:], "ü\n"), "ö out\n")
    assert asked(program.program, words, None) == ((words[1:], ""), "ö out\n")


def test_command_of_an_agent_that_has_ended_is_given_up(program: cache.Cache) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def answer(words: tuple[str, ...], given: str) -> Printed:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        raise AssertionError

    async def act() -> None:
        async with opened(answer) as path:
            words = ("-m", "skills.x")
            environment = {**os.environ, "STEPSCRIPT_DOOR": path}
            process = await asyncio.create_subprocess_exec(
                program.program, *words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment
            )
            await begun.wait()
        assert ended.is_set()
        assert (await process.communicate())[1].count(b"\n") == 1

    asyncio.run(act())


@pytest.mark.parametrize("words", [(), ("x",), ("-c", "print(1)")])
def test_program_of_the_pages_sends_only_their_commands(words: tuple[str, ...], program: cache.Cache) -> None:
    done = subprocess.run([program.program, *words], check=False, stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode == 2


def test_command_of_an_agent_whose_worker_has_ended_fails(program: cache.Cache, tmp_path: Path) -> None:
    environment = {**os.environ, "STEPSCRIPT_DOOR": str(tmp_path / "s")}
    words = [program.program, "-m", "skills.x"]
    done = subprocess.run(words, check=False, stdin=subprocess.DEVNULL, capture_output=True, env=environment)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"stop" in done.stderr


def test_hook_of_a_client_runs_on_its_own_host(program: cache.Cache) -> None:
    words = [program.program, "-m", "lib.workflow.command.permission_hook", "skills"]
    done = subprocess.run(words, check=False, input=b"{}", capture_output=True)
    assert b"worker of this agent" not in done.stderr


def test_cache_keeps_the_projects_of_the_last_agents(
    program: cache.Cache, capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cache, "MOST", 3)
    monkeypatch.chdir(tmp_path)
    places = []
    for number in range(4):
        places.append(program.place(id_of("host", f"/srv/{number}/.stepscript/runs/1128-7e57/driver"), "2.1"))
        os.utime(os.path.dirname(places[-1].repository), (number, number))
    assert [os.path.isdir(place.agents) for place in places] == [False, True, True, True]
    assert len({place.folder for place in places}) == 4
    with locked(places[1].lock, 1):
        assert main(("gc", "--dry-run", "--json")) == 0
        assert len(json.loads(capsys.readouterr().out)["caches"]) == 2
        assert os.path.isdir(places[2].agents)
        assert main(("gc",)) == 0
    assert [os.path.isdir(place.agents) for place in places] == [False, True, False, False]


def test_cache_whose_path_pages_would_quote_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "it's here"))
    with pytest.raises(ValueError, match="XDG_CACHE_HOME"):
        cache.Cache(sys.executable)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("worker", "--no-shared-folder"), "--pool"),
        (("worker", "--no-shared-folder", "--pool", "gpu"), STORE),
        (("run", "planner", "x", "--agent", "cat", "--no-shared-folder"), "--engine temporal"),
        (("run", "planner", "x", "--no-shared-folder", "--engine", "temporal"), "--pool"),
        (("run", "planner", "x", "--no-shared-folder", "--engine", "temporal", "--pool", "gpu"), KEYS),
    ],
)
def test_missing_conditions_are_reported_before_anything_starts(
    words: tuple[str, ...], says: str, capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(KEYS, raising=False)
    monkeypatch.delenv(STORE, raising=False)
    assert main(words) == 2
    assert says in capsys.readouterr().err
    assert not os.listdir(tmp_path)
