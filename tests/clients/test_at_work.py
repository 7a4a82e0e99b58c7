"""Gemini CLI at work, with a model that is played: it runs our commands unasked and no others, and is told of the unfinished run."""

import json
import os
import sys
from pathlib import Path

import pytest

from lib.workflow.app.install.clients import Agent, Scope
from lib.workflow.app.install.tree import Tree
from lib.workflow.app.install.work import install, uninstall
from lib.workflow.command import Command
from skills.planner.session import lines
from tests.clients.gemini_api import model
from tests.clients.programs import BIN, Somebody

pytestmark = pytest.mark.clients
OURS = str(Command("skills.deepthink.think", ("--step", "1")))
OTHERS = f"{sys.executable} -c \"open('trace', 'w')\""
KEY = {"security": {"auth": {"selectedType": "gemini-api-key"}}}


@pytest.fixture
def user(tmp_path: Path) -> Somebody:
    """Somebody who has the skills for all projects, and a run of the planner that is unfinished in this one."""
    home, project = tmp_path / "home", tmp_path / "project"
    (project / ".stepscript").mkdir(parents=True)
    (home / ".gemini").mkdir(parents=True)
    (home / ".gemini" / "settings.json").write_text(json.dumps(KEY))
    install(Tree(str(home)), [Agent.GEMINI], Scope.USER)
    somebody = Somebody(home, project)
    begin = Command("skills.planner.orchestrator.planner", ("--step", "1", "--task", "limit callers"))
    somebody.runs("sh", "-c", str(begin))
    return somebody


@pytest.mark.parametrize(
    ("command", "runs"),
    [(OURS, True), (OTHERS, False), (f"{OURS} && {OTHERS}", False), (f"{OURS} > trace", False)],
    ids=["ours", "another", "ours and another", "ours into a file"],
)
def test_it_runs_our_commands_unasked_and_no_others(command: str, runs: bool, user: Somebody) -> None:
    with model(command) as played:
        user.runs(
            *(str(BIN / "gemini"), "--model", "flash", "-p", "Go on"),
            GOOGLE_GEMINI_BASE_URL=played.address,
            GEMINI_API_KEY="none",
            NO_PROXY="127.0.0.1",
        )
    first, second = (json.loads(said) for said in played.heard)
    assert all(json.dumps(line)[1:-1] in json.dumps(first["contents"]) for line in lines(str(user.folder)))
    assert ("<step_header" in json.dumps(second["contents"])) == runs
    assert not os.path.exists(user.folder / "trace")


def test_the_users_own_settings_are_as_they_were_afterwards(user: Somebody) -> None:
    settings = user.home / ".gemini" / "settings.json"
    assert json.loads(settings.read_text()) != KEY
    uninstall(Tree(str(user.home)))
    assert json.loads(settings.read_text()) == KEY
    assert [path.name for path in (user.home / ".gemini").iterdir()] == ["settings.json"]
