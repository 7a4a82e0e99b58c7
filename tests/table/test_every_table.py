"""Rules for every table of commands."""

from pathlib import Path

import pytest

from lib.workflow.cli.table.calls import load
from lib.workflow.cli.table.command_line.help import of_table
from lib.workflow.cli.table.rows import Example, Table, act
from lib.workflow.errors import WorkflowError
from lib.workflow.types import AgentRole
from tests.subjects import ROOT
from tests.tables.found import TABLES, Found
from tests.tables.shelf import build, opened


@pytest.mark.parametrize("found", TABLES, ids=lambda found: found.home)
def test_every_command_has_a_role_and_no_shared_option_of_its_own(found: Found) -> None:
    for row in found.table.rows.values():
        assert row.arguments.keys() & found.table.options.keys() == set()
        assert set(row.needs) <= row.arguments.keys()
        assert row.roles, row.name
        assert row.help, row.name
        assert not row.changes or row.store


@pytest.mark.parametrize("found", TABLES, ids=lambda found: found.home)
def test_the_help_of_a_role_lists_the_commands_that_it_may_use(found: Found) -> None:
    for role in (None, *AgentRole):
        listed = {line.split()[0] for line in of_table(found.table, role)[1].splitlines() if line.startswith("  ")}
        for name, row in found.table.rows.items():
            assert (name in listed) is (role is None or role in row.roles), (role, name)


@pytest.mark.parametrize("found", TABLES, ids=lambda found: found.home)
def test_the_script_that_the_table_names_runs_it(found: Found) -> None:
    source = Path(ROOT, *found.table.module.split(".")).with_suffix(".py").read_text(encoding="utf-8")
    assert f'("{found.home}"' in source


def test_a_table_has_each_command_once() -> None:
    row = act("build", build, roles=(), examples=(Example(()),))
    taken = act("batch", build, roles=(), examples=(Example(()),))
    for rows in ((row, row), (taken,)):
        with pytest.raises(WorkflowError, match="'batch'"):
            Table(module="x", description="", opens=opened, rows=rows, shared=(), batch=())


def test_module_without_a_table_is_refused() -> None:
    with pytest.raises(WorkflowError, match=r"TABLE .* Table"):
        load("tests.tables.found")
