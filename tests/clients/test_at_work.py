"""Clients at work, with simulated models: they run only our commands unasked, and learn of unfinished runs."""

import json
import os
from pathlib import Path

import pytest

from lib.workflow.app.install.clients import Agent, Scope
from lib.workflow.app.install.tree import Tree
from lib.workflow.app.install.work import Asked, install, uninstall
from lib.workflow.command import Command
from skills.planner.session import lines
from tests.clients.models import KEY, OTHERS, OURS, STEP, Claude, Gemini, Model, has_a_key, listening
from tests.clients.programs import BIN, Somebody

pytestmark = pytest.mark.clients


def installed(home: Path, project: Path, scope: Scope) -> Somebody:
    """Return a user who has the skills, and an unfinished run of the planner in this project."""
    (project / ".stepscript").mkdir(parents=True)
    has_a_key(home)
    install(Tree(str(project if scope is Scope.PROJECT else home)), Asked(tuple(Agent)), scope)
    somebody = Somebody(home, project)
    begin = Command("skills.planner.orchestrator.planner", ("--step", "1", "--task", "limit callers"))
    somebody.runs("sh", "-c", str(begin))
    return somebody


@pytest.mark.parametrize(
    ("model", "scope"),
    [(Claude(), Scope.PROJECT), (Claude(), Scope.USER), (Gemini(), Scope.USER)],
    ids=["claude, project", "claude, user", "gemini, user"],
)
@pytest.mark.parametrize(
    ("command", "runs"),
    [(OURS, True), (OTHERS, False), (f"{OURS} && {OTHERS}", False), (f"{OURS} > trace", False)],
    ids=["ours", "another", "ours and another", "ours into a file"],
)
def test_client_runs_only_our_commands_without_asking(
    model: Model, scope: Scope, command: str, runs: bool, tmp_path: Path
) -> None:
    user = installed(tmp_path / "home", tmp_path / "project", scope)
    program, *words = model.asks
    with listening(model, command) as heard:
        user.runs(str(BIN / program), *words, environment=model.reached(user.home, heard.address))
    first, *_, last = heard.requests
    assert all(json.dumps(line)[1:-1] in first for line in lines(str(user.folder)))
    assert model.done in last
    assert (STEP in last.replace("\\u003c", "<")) == runs
    assert not os.path.exists(user.folder / "trace")


def test_the_users_own_settings_are_as_they_were_afterwards(tmp_path: Path) -> None:
    user = installed(tmp_path / "home", tmp_path / "project", Scope.USER)
    settings = user.home / ".gemini" / "settings.json"
    assert json.loads(settings.read_text()) != KEY
    uninstall(Tree(str(user.home)))
    assert json.loads(settings.read_text()) == KEY
    assert [path.name for path in (user.home / ".gemini").iterdir()] == ["settings.json"]
