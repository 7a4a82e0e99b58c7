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
from tests.subjects import ROOT
from tests.tables.found import TABLES, Found, begin

OURS = [found for found in TABLES if found.home.startswith("skills.")]
BIN = os.path.dirname(sys.executable)


@pytest.mark.parametrize("found", OURS, ids=lambda found: found.home)
def test_the_page_in_the_repository_is_the_one_that_would_be_made(found: Found) -> None:
    name = found.table.module.rpartition(".")[2]
    page = Path(ROOT, "docs", f"{name}-commands.md").read_text(encoding="utf-8")
    assert page == reference(found.table, found.home), "run `make docs`"


@pytest.mark.parametrize("found", TABLES, ids=lambda found: found.home)
def test_every_example_runs_unchanged(found: Found, tmp_path: Path) -> None:
    page = reference(found.table, found.home)
    begin(found, InFolder(tmp_path))
    environment = {"PATH": f"{BIN}:{os.environ['PATH']}", "PYTHONWARNINGS": "error"}
    shows = [(row.name, example) for row in found.table.rows.values() for example in row.examples]
    for name, example in (*shows, *((BATCH, example) for example in found.table.batch)):
        command = shown(found.table, name, example, found.table.typed)
        assert f"```sh\n{command}\n```" in page
        run = subprocess.run(
            ["/bin/sh", "-c", command],
            capture_output=True,
            cwd=tmp_path,
            env=environment,
            encoding="utf-8",
            check=False,
        )
        assert (run.returncode, run.stderr) == (REFUSED if example.early else 0, ""), command


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
