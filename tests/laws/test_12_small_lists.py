"""Law 12, for the lists that people call most: each imports only what it uses."""

import os
from pathlib import Path

import pytest

from benchmarks.watching import made
from tests.starts import imported

CLIENTS = "lib.workflow.run.clients"


@pytest.mark.parametrize("word", ["runs", "status"])
def test_list_of_runs_imports_neither_servers_nor_clients_nor_the_parser(word: str, tmp_path: Path) -> None:
    made(os.fspath(tmp_path), runs=1, lines=4)
    modules = imported("-m", "stepscript", word, "-C", os.fspath(tmp_path))
    assert "lib.workflow.run.journal.status" in modules
    assert not modules & {"asyncio", "logging", "ssl", f"{CLIENTS}.agents", f"{CLIENTS}.job", "lib.workflow.ast.parse"}
