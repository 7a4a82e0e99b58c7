"""Law 11, for streams that are closed, full or broken: a plain message, one status, and no false word."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from lib.workflow.util.output import DONE, INTERRUPTED, REFUSED, UNSAID, USAGE, WAITING
from skills.planner.commands.beginning import init
from skills.planner.state.files import plan_store
from tests.scripts import STEPSCRIPT, environment, named, starts
from tests.subjects import ROOT
from tests.warm import Warm

PLAN: Final = ("-m", "skills.planner.cli.plan", "--state-dir", "run")
KINDS: Final = {
    "a step": ("-m", "skills.problem_analysis.analyze", "--step", "1"),
    "a change": (*PLAN, "set-decision", "--decision", "x", "--reasoning", "a -> b"),
    "a refusal": (*PLAN, "set-decision", "--id", "DL-009", "--version", "1", "--decision", "x"),
    "the help of a script": ("-m", "skills.planner.cli.plan", "--help"),
    "the question what is due": ("-m", "skills.planner.status", "--state-dir", "run"),
    "a session that starts": ("-m", "skills.planner.session"),
    "a tool": ("-m", "skills.prompt_engineer.techniques"),
    "a check": ("-m", "skills.conventions.check", "page.md"),
    "a command": ("-m", STEPSCRIPT, "list"),
    "a command's JSON": ("-m", STEPSCRIPT, "runs", "--json"),
    "the help of a command": ("-m", STEPSCRIPT, "report", "--help"),
    "the version": ("-m", STEPSCRIPT, "--version"),
    "a step by name": ("-m", STEPSCRIPT, "step", "problem-analysis", "1"),
    "what takes long": ("-m", STEPSCRIPT, "stats", "problem-analysis"),
    "a deletion": ("-m", STEPSCRIPT, "gc"),
    "a page that is written": ("-m", STEPSCRIPT, "report", "--state-dir", "run"),
    "a run": ("-m", STEPSCRIPT, "rehearse", "problem-analysis", "why"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / "page.md").write_text("Text.\n", encoding="utf-8")
    init(str(project / "run"), "limit requests", project_root=str(project))
    return project


def ran(words: Sequence[str], folder: Path, streams: str = "", **more: int) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {streams}', "sh", sys.executable, "-P", *words],
        cwd=folder,
        env=environment(folder.parent),
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        stdout=more.get("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        check=False,
    )


@pytest.fixture
def closed_pipe() -> int:
    """Return the end of a pipe whose reader has gone away."""
    read, write = os.pipe()
    os.close(read)
    return write


@pytest.fixture(scope="module")
def warm() -> Iterator[Warm]:
    with Warm("stepscript.cli", "lib.workflow.app.main") as process:
        yield process


@pytest.mark.parametrize("start", starts(), ids=named)
def test_every_script_and_command_reports_unwritable_output(start: tuple[str, ...], warm: Warm, folder: Path) -> None:
    is_silent = start[-1] == "skills.planner.session"  # a client's session starts, whatever its hook gets
    words = start[1:] if is_silent else (*start[1:], "--help")
    came = warm.start(words, environment(folder.parent), out="/dev/full", cwd=str(folder)).ended()
    assert came.status == (DONE if is_silent else UNSAID)
    assert re.fullmatch("" if is_silent else r"[^\n]+: No space left [^\n]+\n", came.errors)


@pytest.mark.parametrize("streams", [">&-", ">/dev/full", "<&- >&- 2>&-"])
@pytest.mark.parametrize("kind", KINDS)
def test_standard_output_that_cannot_be_written_has_one_status(kind: str, streams: str, folder: Path) -> None:
    silent = kind == "a session that starts"
    before = plan_store(str(folder / "run")).load()
    done = ran(KINDS[kind], folder, streams)
    assert done.returncode == (DONE if silent else UNSAID)
    after = plan_store(str(folder / "run")).load()
    assert (after != before) is (kind == "a change")
    assert "Traceback" not in done.stderr
    if "2>" not in streams and not silent:
        assert done.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_a_reader_that_goes_away_changes_nothing(kind: str, folder: Path, closed_pipe: int) -> None:
    gone = ran(KINDS[kind], folder, stdout=closed_pipe)
    os.close(closed_pipe)
    assert (gone.returncode, gone.stderr) == (REFUSED if kind == "a refusal" else DONE, "")


@pytest.mark.parametrize("streams", ["2>&-", "<&- 2>/dev/full"])
@pytest.mark.parametrize("kind", KINDS)
def test_without_the_other_streams_a_result_is_printed_all_the_same(kind: str, streams: str, folder: Path) -> None:
    done = ran(KINDS[kind], folder, streams)
    assert done.returncode == (REFUSED if kind == "a refusal" else DONE)
    assert bool(done.stdout) is (kind != "a session that starts")


@pytest.mark.parametrize("words", [("-m", "skills.doc_sync.sync", "--step", "x"), ("-m", STEPSCRIPT, "lst")], ids=named)
@pytest.mark.parametrize("streams", ["2>&-", "2>/dev/full"])
def test_wrong_usage_keeps_its_status_without_standard_error(
    words: tuple[str, ...], streams: str, folder: Path
) -> None:
    assert ran(words, folder, streams).returncode == USAGE


@pytest.mark.parametrize(
    "words",
    [
        (*PLAN, "batch"),
        (*PLAN, "set-context", "--context-file", "-"),
        ("-m", "skills.leon_writing_style.measure"),
        ("-m", "skills.deepthink.think", "--step", "6", "--roster-file", "-"),
        ("-m", STEPSCRIPT, "resume"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("streams", ["<&-", "</dev/null", "</dev/full", "0>/dev/null"])
def test_standard_input_that_holds_nothing_is_said(words: tuple[str, ...], streams: str, folder: Path) -> None:
    done = ran(words, folder, streams)
    assert done.returncode in (REFUSED, USAGE)
    assert (done.stdout + done.stderr).strip()
    assert "internal" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_the_readme_lists_every_status() -> None:
    readme = Path(ROOT, "README.md").read_text(encoding="utf-8")
    table = readme.partition("## Exit statuses")[2].partition("\n## ")[0]
    listed = [int(number) for number in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)]
    assert listed == [DONE, REFUSED, USAGE, WAITING, UNSAID, INTERRUPTED]
