"""`stepscript report`."""

from pathlib import Path

import pytest
from lxml import html

from lib.workflow.app.main import main
from skills.planner.commands.beginning import init
from skills.planner.state.files import plan_store, run_store
from tests.skills.planner.plans import PLAN


def test_a_run_of_the_planner_becomes_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = str(tmp_path)
    init(state, "add <rate> limiting", project_root=state)
    plan_store(state).change(lambda _: (PLAN, None))
    before = run_store(state).load()
    assert main(["report", "--state-dir", state]) == 0
    path = Path(capsys.readouterr().out.strip())
    root = html.document_fromstring(path.read_text())
    assert [item.findtext("a") for item in root.iterfind(".//li[@class='entry2']")][-1] == "Milestones"
    assert root.find(".//svg") is not None
    assert run_store(state).load() == before


@pytest.mark.parametrize("made", [True, False])
def test_a_folder_without_a_run_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str], made: bool) -> None:
    folder = tmp_path / "x"
    if made:
        folder.mkdir()
    assert main(["report", "--state-dir", str(folder)]) == 2
    assert str(folder) in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.html"))
