"""The table of skills matches their workflows."""

from pathlib import Path

import pytest

from lib.workflow.app.skills.overview import BEGIN, END, Skill, main, skills, table, with_table
from lib.workflow.app.skills.start_commands import bare_start, told_at_start
from lib.workflow.command import Command
from lib.workflow.discovery import DiscoveryError, search
from lib.workflow.testing.inprocess import run_here
from tests.subjects import ROOT

WORKFLOW = """
from typing import Annotated
from lib.workflow.core import Arg, Outcome, StepDef, Workflow

def first(context, aim: Annotated[str, Arg()], mode: Annotated[str, Arg(choices=("full", "quick"))] = "full"):
    return Outcome.OK, {}
WORKFLOW = Workflow(
    "NAME",
    StepDef(id="a", title="A", actions="a", handler=first, next={Outcome.OK: "b"}),
    StepDef(id="b", title="B", actions="b", next={Outcome.OK: None}),
    module="PACKAGE.tool.NAME", description="This | that.",
)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Create a package with a skill of two workflows, of which its skill file starts one."""
    name = f"overview_{tmp_path.name}"
    tool = tmp_path / name / "tool"
    tool.mkdir(parents=True)
    for workflow in ("main", "agent"):
        (tool / f"{workflow}.py").write_text(WORKFLOW.replace("NAME", workflow).replace("PACKAGE", name))
    (tool / "SKILL.md").write_text(f"python3 -m {name}.tool.main --step 1 --aim 'what for'")
    monkeypatch.syspath_prepend(tmp_path)
    return name


def test_the_table_in_the_readme_is_the_one_that_would_be_made() -> None:
    page = Path(ROOT, "README.md").read_text(encoding="utf-8")
    assert with_table(page, table()) == page, "run `make docs`"


def test_every_workflow_is_in_the_table_or_belongs_to_a_sub_agent() -> None:
    made = table()
    homes = {item.home.split(".")[1] for item in search("skills")[0]}
    assert homes == {home for home in homes if f"(skills/{home}/SKILL.md)" in made}


@pytest.mark.parametrize("skill", tuple(skills()), ids=lambda skill: skill.found.workflow.name)
def test_first_step_needs_exactly_the_parameters_that_the_table_lists(
    skill: Skill, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    workflow, needed = skill.found.workflow, told_at_start(skill.found)
    assert f"`stepscript step {workflow.name} 1{''.join(f' {flag} …' for flag in needed)}`" in table()
    assert run_here(bare_start(workflow)).status == (2 if needed else 0)
    words = [word for flag in needed if flag != "--state-dir" for word in (flag, "x")]
    given = Command(workflow.module, ("--step", "1", *words))
    assert (run_here(given).status == 0) is ("--state-dir" not in needed)


def test_row_shows_steps_parameters_and_the_command(package: str) -> None:
    _, _, *rows = table(package).splitlines()
    assert rows == [
        f"| [main]({package}/tool/SKILL.md) | This \\| that. | 2 (+2) | `--aim`, `--mode` full/quick "
        f"| `stepscript step main 1 --aim …` |"
    ]


def test_package_with_a_broken_workflow_is_refused(package: str, tmp_path: Path) -> None:
    (tmp_path / package / "tool" / "broken.py").write_text("WORKFLOW = [][0]")
    with pytest.raises(DiscoveryError):
        table(package)


def test_table_replaces_only_what_is_between_the_marks(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text(f"a\n\n{BEGIN}\nold\n{END}\nb\n")
    assert main([str(page)]) == 0
    before, made, after = page.read_text(encoding="utf-8").partition(table())
    assert (before, bool(made), after) == (f"a\n\n{BEGIN}\n\n", True, f"\n\n{END}\nb\n")


@pytest.mark.parametrize("page", ["", BEGIN, END, f"{END}{BEGIN}"])
def test_a_page_without_the_marks_is_refused(page: str) -> None:
    with pytest.raises(ValueError, match="<!--"):
        with_table(page, "t")
