"""The page of the plan's commands is what the table says."""

from pathlib import Path

from lib.workflow.table.reference import reference
from skills.planner.commands.plan_table import TABLE
from tests.skills.planner.console import PLAN_HOME
from tests.subjects import ROOT


def test_the_page_in_the_repository_is_the_one_that_would_be_made() -> None:
    page = Path(ROOT, "docs", "plan-commands.md").read_text(encoding="utf-8")
    assert page == reference(TABLE, PLAN_HOME), "run `make docs`"


def test_the_list_of_commands_fits_into_a_terminal() -> None:
    longest = max(map(len, TABLE.rows))
    for name, row in TABLE.rows.items():
        assert longest + 4 + len(row.help.partition("\n")[0]) <= 80, name
