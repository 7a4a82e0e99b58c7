"""An installation updates a folder, removes itself, and never touches a user's changes."""

import json
from pathlib import Path

import pytest

from lib.workflow.app.install.changes import Change, ChangeKind
from lib.workflow.app.install.clients import Agent, Scope
from lib.workflow.app.install.host import starter
from lib.workflow.app.install.tree import Tree
from lib.workflow.app.install.wanted import MANIFEST
from lib.workflow.app.install.work import Asked, install, planned, uninstall
from lib.workflow.command import Command
from lib.workflow.errors import RefusedError
from tests.wording import coded

SKILL = ".claude/skills/planner/SKILL.md"
SETTINGS = ".claude/settings.local.json"


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(str(tmp_path))


def put(tree: Tree, *agents: Agent) -> tuple[Change, ...]:
    return install(tree, Asked(agents or (Agent.CLAUDE,)), Scope.PROJECT)


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def kinds(done: tuple[Change, ...]) -> dict[str, ChangeKind]:
    return {change.path: change.kind for change in done if change.kind is not ChangeKind.SAME}


def test_installation_is_in_order_and_uninstalls_without_a_trace(tree: Tree, tmp_path: Path) -> None:
    assert set(kinds(put(tree, *Agent)).values()) == {ChangeKind.NEW}
    assert kinds(put(tree)) == {}
    assert kinds(planned(tree, Asked(), Scope.PROJECT)) == {}
    assert set(kinds(uninstall(tree)).values()) == {ChangeKind.REMOVED}
    assert names(tmp_path) == set()
    assert uninstall(tree) == ()


def test_a_plan_writes_nothing(tree: Tree, tmp_path: Path) -> None:
    assert set(kinds(planned(tree, Asked((Agent.CODEX,)), Scope.USER)).values()) == {ChangeKind.NEW}
    assert names(tmp_path) == set()


def test_commands_are_those_that_steps_print(tree: Tree, tmp_path: Path) -> None:
    put(tree)
    text = (tmp_path / SKILL).read_text()
    assert f"    {starter.path()} {Command('skills.planner.orchestrator.planner')} --step 1" in text
    assert "python3 -m skills" not in text


@pytest.mark.parametrize(
    ("agents", "there", "not_there"),
    [
        ([Agent.CLAUDE], [SKILL, SETTINGS, ".claude/agents/developer.md"], [".agents", ".codex"]),
        ([Agent.CODEX, Agent.GEMINI], [".agents/skills/doc-sync/conventions.md", ".gemini/agents"], [".claude"]),
        ([], [".cursor/agents", ".opencode/agents", ".github/agents"], [".claude/agents/general-purpose.md"]),
    ],
)
def test_each_client_gets_the_files_that_it_reads(
    agents: list[Agent], there: list[str], not_there: list[str], tree: Tree, tmp_path: Path
) -> None:
    install(tree, Asked(tuple(agents)), Scope.PROJECT)
    assert all((tmp_path / name).exists() for name in there)
    assert not any((tmp_path / name).exists() for name in not_there)


def test_files_that_name_this_machine_are_not_installed_in_a_project(tree: Tree) -> None:
    """Check files that Gemini CLI has only for a user, not in a project."""
    policy, settings = ".gemini/policies/stepscript.toml", ".gemini/settings.json"
    of = {scope: {item.path for item in planned(tree, Asked((Agent.GEMINI,)), scope)} for scope in Scope}
    assert {policy, settings} <= of[Scope.USER]
    assert not {policy, settings} & of[Scope.PROJECT]


def test_a_further_client_joins_those_that_are_there(tree: Tree) -> None:
    install(tree, Asked((Agent.CLAUDE,)), Scope.PROJECT)
    install(tree, Asked((Agent.CODEX,)), Scope.PROJECT)
    assert kinds(planned(tree, Asked(), Scope.PROJECT)) == {}
    assert {path.split("/")[0] for path in kinds(uninstall(tree))} == {".claude", ".agents", ".codex"}


def before_us(tree: Tree) -> None:
    """Write the file before an installation."""
    Path(tree.root, SKILL).parent.mkdir(parents=True)
    Path(tree.root, SKILL).write_text("mine\n")


def test_file_that_existed_before_is_kept_and_its_diff_shown(tree: Tree, tmp_path: Path) -> None:
    before_us(tree)
    (kept,) = [item for item in put(tree) if item.kind is ChangeKind.KEPT]
    assert kept.path == SKILL
    assert {"-mine", "+# Planner"} <= {*kept.why.splitlines()}
    uninstall(tree)
    assert (tmp_path / SKILL).read_text() == "mine\n"
    assert {name for name in names(tmp_path) if name.endswith(".md")} == {SKILL}


def test_upgrade_replaces_unchanged_files(tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tree)
    monkeypatch.setenv("WORKFLOW_PYTHON", "/opt/other/python -P")
    assert set(kinds(put(tree)).values()) == {ChangeKind.UPDATED}
    assert "/opt/other/python -P -m skills." in (tmp_path / SKILL).read_text()
    held = json.loads((tmp_path / SETTINGS).read_text())
    assert held["permissions"]["allow"] == [
        f"Bash({before}/opt/other/python -P -m skills.*)" for before in (f"{starter.path()} ", "")
    ]
    assert len(held["hooks"]["SessionStart"]) == 1


@pytest.mark.parametrize(
    ("upgrade", "writes"), [(False, 1), (False, 2), (False, 9), (False, 19), (True, 1), (True, 9), (True, 13)]
)
def test_an_installation_that_was_cut_off_is_finished_by_the_next(
    upgrade: bool, writes: int, tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if upgrade:
        put(tree)
        monkeypatch.setenv("WORKFLOW_PYTHON", "/opt/other/python -P")
    write, left = Tree.write, iter(range(writes))

    def cut_off(self: Tree, path: str, data: bytes, mode: int | None = None) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        write(self, path, data, mode)

    with monkeypatch.context() as patch:
        patch.setattr(Tree, "write", cut_off)
        with pytest.raises(KeyboardInterrupt):
            put(tree)
    assert ChangeKind.KEPT not in kinds(put(tree)).values()
    assert kinds(planned(tree, Asked(), Scope.PROJECT)) == {}
    uninstall(tree)
    assert names(tmp_path) == set()


@pytest.mark.parametrize(
    "held",
    [
        b'{\n  "x": 1e400, "x": 2\n}\n',
        b'\xef\xbb\xbf{\r\n\t"s": "\\ud800" // \xff\r\n}',
        b'{"permissions": {"deny": ["a"]}}',
    ],
)
def test_settings_of_the_user_are_as_they_were_but_for_our_entries(held: bytes, tree: Tree, tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / SETTINGS).write_bytes(held)
    assert kinds(put(tree))[SETTINGS] is ChangeKind.UPDATED
    assert b"SessionStart" in (tmp_path / SETTINGS).read_bytes()
    uninstall(tree)
    assert (tmp_path / SETTINGS).read_bytes() == held


def test_settings_that_cannot_be_edited_stay_and_their_place_is_named(tree: Tree, tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / SETTINGS).write_bytes(b'{\n  "a": 1,,\n}')
    (kept,) = [change for change in put(tree) if change.kind is ChangeKind.KEPT]
    assert (kept.path, kept.why.split(":")[0]) == (SETTINGS, "line 2, column 10")
    assert (tmp_path / SETTINGS).read_bytes() == b'{\n  "a": 1,,\n}'
    assert (tmp_path / SKILL).exists()


def test_runs_outlast_an_uninstallation_and_stay_ignored(tree: Tree, tmp_path: Path) -> None:
    put(tree)
    (tmp_path / ".stepscript" / "runs").mkdir()
    uninstall(tree)
    assert names(tmp_path) == {".stepscript", ".stepscript/runs", ".stepscript/.gitignore"}


@pytest.mark.parametrize("link", [".claude", ".claude/skills", ".agents/skills/planner", ".stepscript"])
def test_nothing_is_written_through_a_link_that_leads_out(link: str, tree: Tree, tmp_path: Path) -> None:
    inner = tmp_path / "project"
    outside = tmp_path / "outside"
    outside.mkdir()
    (inner / link).parent.mkdir(parents=True)
    (inner / link).symlink_to(outside, target_is_directory=True)
    with pytest.raises(RefusedError, check=coded("foreign-path")):
        put(Tree(str(inner)), *Agent)
    assert names(outside) == set()


def test_a_file_that_is_a_link_is_kept_and_the_rest_installed(tree: Tree, tmp_path: Path) -> None:
    before_us(tree)
    (tmp_path / "mine").write_text("mine\n")
    (tmp_path / SKILL).unlink()
    (tmp_path / SKILL).symlink_to(tmp_path / "mine")
    (kept,) = [item for item in put(tree) if item.kind is ChangeKind.KEPT]
    assert kept.path == SKILL
    assert (tmp_path / "mine").read_text() == "mine\n"
    assert (tmp_path / SKILL.replace("planner", "deepthink")).exists()


@pytest.mark.parametrize(
    "path", ["src/main.py", "../out.md", ".claude/skills/../../x.md", "/etc/passwd", ".git/config"]
)
def test_forged_manifest_removes_nothing(path: str, tree: Tree, tmp_path: Path) -> None:
    put(tree)
    manifest = json.loads((tmp_path / MANIFEST).read_text())
    manifest["files"][0]["path"] = path
    (tmp_path / MANIFEST).write_text(json.dumps(manifest))
    there = names(tmp_path)
    with pytest.raises(RefusedError, check=coded("corrupt-manifest")):
        uninstall(tree)
    assert names(tmp_path) == there
