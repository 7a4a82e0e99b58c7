"""A keeper runs programs to their end, even if they, it or the process that asked for them is killed."""

import asyncio
import errno
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.run.processes import kept
from lib.workflow.run.processes.kept import KEEPER, Files, Over
from tests.gone import is_gone

PARENT = """
import asyncio, os, sys
from lib.workflow.run.processes import kept
from lib.workflow.run.processes.kept import Files
files = Files(given=sys.argv[1], out=sys.argv[2], errors=sys.argv[3])
words = ["sh", "-c", sys.argv[4], files.out]
asyncio.run(kept.run(words, files, environment=dict(os.environ), cwd=None, seconds=float(sys.argv[5]), grace=1))
"""


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return files_in(tmp_path)


def files_in(folder: Path) -> Files:
    (folder / "given").write_text("input")
    return Files(**{name: str(folder / name) for name in ("given", "out", "errors")})


async def ran(files: Files, *words: str, cwd: str | None = None, seconds: float = 60, grace: float = 1) -> Over:
    return await kept.run(words, files, environment=dict(os.environ), cwd=cwd, seconds=seconds, grace=grace)


def shell(files: Files, script: str, seconds: float = 60) -> Over:
    return asyncio.run(ran(files, "sh", "-c", script, files.out, seconds=seconds))


@pytest.mark.parametrize(
    ("script", "over"),
    [
        ("echo said; echo complained >&2", Over(status=0, out=5, errors=11)),
        ("cat; exit 7", Over(status=7, out=5, errors=0)),
        ("kill -TERM $$", Over(status=-signal.SIGTERM, out=0, errors=0)),
        ("yes | head -n 1", Over(status=0, out=2, errors=0)),  # `yes` is ended by a signal that Python ignores
        ("trap '' TERM; echo a; sleep 0.1; echo b", Over(status=0, out=4, errors=0)),
    ],
)
def test_end_of_a_program_is_returned_and_recorded_after_its_input(script: str, over: Over, files: Files) -> None:
    assert kept.left(files.given) is None
    assert shell(files, script) == over
    assert kept.left(files.given) == (b"input", over)
    assert [os.path.exists(files.out), os.path.exists(files.errors)] == [over.out > 0, over.errors > 0]


@pytest.mark.parametrize("end", [b"", b"\0", b'\0{"status": 0, "out": 1', b'\0{"status": 0}\n', b"\0x\0y"])
def test_a_record_that_is_torn_or_not_one_is_none(end: bytes, files: Files) -> None:
    Path(files.given).write_bytes(b"input" + end)
    assert kept.left(files.given) is None


def test_an_attempt_that_is_replaced_changes_no_file_of_the_next_one(files: Files, tmp_path: Path) -> None:
    async def act() -> Over:
        working = asyncio.ensure_future(
            ran(files, "sh", "-c", 'echo x > "$0.go"; read line < "$0.pipe"; echo late', files.out)
        )
        while not os.path.exists(f"{files.out}.go"):
            await asyncio.sleep(0.01)
        os.unlink(files.given)
        files_in(tmp_path)
        await asyncio.to_thread(Path(f"{files.out}.pipe").write_text, "go\n")
        return await working

    os.mkfifo(f"{files.out}.pipe")
    assert asyncio.run(act()).fault == os.strerror(errno.ESTALE)
    assert not os.path.exists(files.out)
    assert Path(files.given).read_text() == "input"


@pytest.mark.parametrize("cwd", [None, "inside", "{}/inside"])
def test_program_runs_in_its_folder_with_its_environment(
    cwd: str | None, files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell(files, "true")  # the keeper has started in another folder
    (tmp_path / "inside").mkdir()
    monkeypatch.chdir(tmp_path)
    words = ("sh", "-c", 'pwd; echo "$ODD"')
    environment = {**os.environ, "ODD": os.fsdecode(b"\xff'\n$x")}
    folder = cwd and cwd.format(tmp_path)
    asyncio.run(kept.run(words, files, environment=environment, cwd=folder, seconds=60, grace=1))
    assert Path(files.out).read_bytes() == os.fsencode(tmp_path / ("inside" if cwd else "")) + b"\n\xff'\n$x\n"


@pytest.mark.parametrize("path", ["{}/programs", ":{}/programs", ".:{}/programs"])
def test_program_is_found_by_its_own_path_and_gets_no_other_variables(
    path: str, files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell(files, "true")
    monkeypatch.setenv("LATER", "set after the keeper has started")
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "listed").symlink_to("/usr/bin/env")
    (tmp_path / "listed").symlink_to("/bin/false")  # the working directory may be a repository
    environment = {"PATH": path.format(tmp_path), "ONE": "1"}
    asyncio.run(kept.run(["listed"], files, environment=environment, cwd=str(tmp_path), seconds=60, grace=1))
    assert dict(line.split("=") for line in Path(files.out).read_text().splitlines()) == environment


def test_program_gets_no_variable_that_python_adds_in_a_locale_without_utf_8(files: Files) -> None:
    environment = {"PATH": os.environ["PATH"], "PYTHONCOERCECLOCALE": "0"}
    words = [sys.executable, "-c", PARENT, files.given, files.out, files.errors, "env", "60"]
    subprocess.run(words, env=environment, check=True)
    said = Path(files.out).read_text()
    assert "PYTHONCOERCECLOCALE" in said
    assert "LC_CTYPE" not in said


@pytest.mark.parametrize(
    ("words", "cwd", "says"),
    [
        (("/no/such/program",), None, "No such file"),
        (("/etc/passwd",), None, "Permission denied"),
        (("true",), "/no/such/folder", "No such file"),
        (("true", "x\0y"), None, "null"),
    ],
)
def test_program_that_cannot_start_gives_the_reason(
    words: tuple[str, ...], cwd: str | None, says: str, files: Files
) -> None:
    assert says in asyncio.run(ran(files, *words, cwd=cwd)).fault


def test_a_program_without_input_is_not_run_and_the_next_one_is(files: Files, tmp_path: Path) -> None:
    assert "No such file" in asyncio.run(ran(evolve(files, given=str(tmp_path / "none")), "true")).fault
    assert shell(files, "exit 3").status == 3


def test_program_whose_output_cannot_be_written_is_ended_with_the_reason(files: Files) -> None:
    over = asyncio.run(ran(evolve(files, out=f"{files.given}/none"), "sh", "-c", "while true; do echo x; done"))
    assert over.fault == os.strerror(errno.ENOTDIR)


def test_timeout_kills_the_program_and_its_children(files: Files) -> None:
    over = shell(files, 'trap "" TERM; sleep 600 & echo $! > "$0.pid"; wait', seconds=0.3)
    assert "0.3 seconds" in over.fault
    assert is_gone(int(Path(f"{files.out}.pid").read_text()))


def test_concurrent_programs_each_return_their_own_status(tmp_path: Path) -> None:
    async def one(number: int) -> int:
        folder = tmp_path / str(number)
        folder.mkdir()
        return (await ran(files_in(folder), "sh", "-c", f"exit {number}")).status

    async def all_of_them() -> list[int]:
        return await asyncio.gather(*map(one, range(60)))

    assert asyncio.run(all_of_them()) == list(range(60))


def keepers(parent: int) -> list[int]:
    found = subprocess.run(
        ("pgrep", "-P", str(parent), "-f", os.path.basename(KEEPER)), capture_output=True, text=True, check=False
    )
    return list(map(int, found.stdout.split()))


def test_killed_keeper_fails_its_programs_and_is_replaced(files: Files) -> None:
    async def act() -> None:
        made = Path(f"{files.out}.pid")
        working = asyncio.ensure_future(ran(files, "sh", "-c", f"echo $$ > {shlex.quote(str(made))}; exec sleep 600"))
        while not (working.done() or (made.exists() and made.read_text())):
            await asyncio.sleep(0.01)
        for keeper in keepers(os.getpid()):
            os.kill(keeper, signal.SIGKILL)
        with pytest.raises(ConnectionError):
            await working
        os.kill(int(made.read_text()), signal.SIGKILL)
        assert (await ran(files, "sh", "-c", "exit 5")).status == 5

    asyncio.run(act())


@pytest.mark.parametrize("seconds", [60.0, 0.5])
def test_a_program_outlives_the_process_that_asked_for_it_but_not_its_time(seconds: float, files: Files) -> None:
    script = 'echo begun; echo x > "$0.go"; read line < "$0.pipe"; echo done'
    os.mkfifo(f"{files.out}.pipe")
    words = (files.given, files.out, files.errors, script, str(seconds))
    with subprocess.Popen([sys.executable, "-c", PARENT, *words]) as parent:
        while not os.path.exists(f"{files.out}.go"):
            assert parent.poll() is None
            time.sleep(0.01)
        (keeper,) = keepers(parent.pid)
        parent.kill()
    if seconds == 60:
        Path(f"{files.out}.pipe").write_text("go\n")
    assert is_gone(keeper)
    found = kept.left(files.given)
    assert found is not None
    _, over = found
    if seconds == 60:
        assert over == Over(status=0, out=len("begun\ndone\n"), errors=0)
        assert Path(files.out).read_text() == "begun\ndone\n"
    else:
        assert "0.5 seconds" in over.fault
