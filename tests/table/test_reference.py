"""The pages and helps of all tables are true."""

import io
import os
import subprocess
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from lib.workflow.cli.table.command_line.help import shown
from lib.workflow.cli.table.command_line.spellings import spellings
from lib.workflow.cli.table.reference import reference
from lib.workflow.cli.table.rows import BATCH
from lib.workflow.cli.table.run import main
from lib.workflow.types import AgentRole
from lib.workflow.util.output import REFUSED
from tests.databases.places import InFolder
from tests.scripts import STEPSCRIPT, run_start
from tests.subjects import ROOT
from tests.tables.found import TABLES, Found, begin

OURS = [found for found in TABLES if found.home.startswith("skills.")]
BIN = os.path.dirname(sys.executable)


@pytest.mark.parametrize("found", OURS, ids=lambda found: found.home)
def test_the_page_in_the_repository_is_the_one_that_would_be_made(found: Found) -> None:
    name = found.table.module.rpartition(".")[2]
    page = Path(ROOT, "docs", f"{name}-commands.md").read_text(encoding="utf-8")
    assert page == reference(found.table, found.home), "run `make docs`"


RECORDER = """\
#!/bin/sh
printf '%s\\0' "$@" > "$RECORDED/words"
cat > "$RECORDED/given"
"""
"""A program that records its words and its input, in the place of the program that an example starts."""


def in_a_shell(command: str, folder: Path, path: Path | str) -> "subprocess.CompletedProcess[str]":
    kept = {"XDG_STATE_HOME": os.environ["XDG_STATE_HOME"], "PYTHONWARNINGS": "error", "RECORDED": str(path)}
    return subprocess.run(
        ["/bin/sh", "-c", command],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        cwd=folder,
        env={**kept, "PATH": f"{path}:{os.environ['PATH']}"},
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with recorders under the names of programs that examples start."""
    folder = tmp_path_factory.mktemp("recorder")
    for name in ("python3", "stepscript"):
        (folder / name).write_text(RECORDER)
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.parametrize("found", TABLES, ids=lambda found: found.home)
def test_every_example_runs_unchanged(
    found: Found, tmp_path: Path, recorder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shell reads each example. The first of a table runs as a process; the others, with the words read, here."""
    page = reference(found.table, found.home)
    begin(found, InFolder(tmp_path))
    monkeypatch.chdir(tmp_path)
    shows = [(row.name, example) for row in found.table.rows.values() for example in row.examples]
    for number, (name, example) in enumerate((*shows, *((BATCH, example) for example in found.table.batch))):
        command = shown(found.table, name, example, found.table.typed)
        assert f"```sh\n{command}\n```" in page
        status = REFUSED if example.early else 0
        if number == 0:
            ran = in_a_shell(command, tmp_path, BIN)
            assert (ran.returncode, ran.stderr) == (status, ""), command
            continue
        assert in_a_shell(command, tmp_path, recorder).returncode == 0
        *words, _ = (recorder / "words").read_text().split("\0")
        size = 2 if words[0] == "-m" else 1
        start = tuple(words[:2]) if words[0] == "-m" else ("-m", STEPSCRIPT, words[0])
        came = run_start(start, words[size:], (recorder / "given").read_bytes())
        assert (came.status, came.errors) == (status, ""), came


def help_of(found: Found, *words: str) -> str:
    printed = io.StringIO()
    with redirect_stdout(printed):
        assert main(found.home, [*words, "--help"]) == 0
    return "".join(printed.getvalue().split())  # it is wrapped


def lacking(text: str, parts: Iterable[str]) -> list[str]:
    return [part for part in parts if "".join(part.split()) not in text]


@pytest.mark.parametrize("found", TABLES, ids=lambda found: found.home)
def test_help_names_every_command_flag_role_and_example(found: Found) -> None:
    assert lacking(help_of(found), (*found.table.rows, BATCH, *AgentRole)) == []
    for row in found.table.rows.values():
        text = help_of(found, *found.table.shared, row.name)
        flags = [flag for argument in row.arguments.values() for flag, *_ in spellings(argument)]
        shows = [shown(found.table, row.name, example) for example in row.examples]
        assert shows
        assert (
            lacking(text, (row.help, *flags, *row.roles, *(row.arguments[key].spelled for key in row.needs), *shows))
            == []
        )
    shows = [shown(found.table, BATCH, example) for example in found.table.batch]
    assert lacking(help_of(found, *found.table.shared, BATCH), shows) == []
