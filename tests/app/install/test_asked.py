"""The version and the login that clients' programs report."""

import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lib.workflow.app.install.doctor.asked import Asked, asked
from lib.workflow.app.install.doctor.examine import examine
from lib.workflow.app.install.doctor.findings import State
from lib.workflow.app.install.tree import Tree
from tests.wording import carries

Script = Callable[[str, str], None]
CLAUDE = 'echo \'{{"loggedIn": {said}, "authMethod": "none"}}\'; exit {status}'


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Script:
    """Return a function that puts a program on the path, where no client is."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "sleep", "yes", "git"):
        (folder / name).symlink_to(next(path for path in (f"/usr/bin/{name}", f"/bin/{name}") if os.path.exists(path)))
    monkeypatch.setenv("PATH", str(folder))

    def put(name: str, login: str) -> None:
        path = folder / name
        path.write_text(f"#!{folder}/sh\n[ \"$1\" = --version ] && echo '{name} 1.2.3 (x)' && exit 0\n{login}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    return put


@pytest.mark.parametrize(
    ("name", "login", "is_logged_in"),
    [
        ("claude", CLAUDE.format(said="true", status=0), True),
        ("claude", CLAUDE.format(said="false", status=1), False),
        ("claude", "echo 'unknown command'; exit 1", None),
        ("claude", "yes '{'", None),
        ("codex", "echo 'Logged in using ChatGPT' >&2", True),
        ("codex", "echo WARNING >&2; echo 'Not logged in' >&2; exit 1", False),
        ("codex", "echo 'unknown command' >&2; exit 2", None),
        ("opencode", "printf '\\033[0m└  0 credentials\\n'", False),
        ("opencode", "printf '└  0 credentials\\n└  1 environment variable\\n'", True),
        ("opencode", "echo '2 credentials'", True),
        ("gemini", "exit 1", None),
        ("copilot", "exit 1", None),
    ],
)
def test_client_is_asked_for_version_and_login(
    script: Script, name: str, login: str, is_logged_in: bool | None
) -> None:
    script(name, login)
    (found,) = asked(seconds=5 if "yes" not in login else 0.5)
    has_question = name in ("claude", "codex", "opencode")
    assert found == Asked(client=name, version="1.2.3", is_logged_in=is_logged_in, has_question=has_question)


def test_clients_are_asked_at_the_same_time_and_not_for_long(script: Script) -> None:
    for name in ("claude", "codex", "opencode"):
        script(name, "sleep 600")
    begun = time.monotonic()
    assert [each.is_logged_in for each in asked(seconds=1)] == [None] * 3
    assert time.monotonic() - begun < 60


def test_program_that_does_not_work_is_named_with_its_last_words(script: Script, tmp_path: Path) -> None:
    script("claude", "")
    (tmp_path / "bin" / "claude").write_text(f"#!{tmp_path}/bin/sh\nprintf 'needs\\033[31m Node 22' >&2; exit 3\n")
    (found,) = asked(seconds=5)
    assert carries(found.problem or "", "`claude --version` … 3: needs Node 22")


def test_doctor_names_each_client_with_its_login(script: Script, tmp_path: Path) -> None:
    assert [each.state for each in examine(*_trees(tmp_path)) if each.subject == "clients"] == [State.NOTE]
    script("claude", CLAUDE.format(said="false", status=1))
    script("codex", "exit 0")
    script("gemini", "exit 1")
    found = [each for each in examine(*_trees(tmp_path)) if each.subject == "clients"]
    assert [each.state for each in found] == [State.NOTE, State.GOOD, State.GOOD]
    assert "1.2.3" in found[0].what
    assert "claude auth login" in found[0].fix
    assert found[1].what.startswith("codex 1.2.3, ")
    assert found[2].what.startswith("gemini")


def _trees(tmp_path: Path) -> tuple[Tree, Tree]:
    return Tree(str(tmp_path / "project")), Tree(str(tmp_path / "home"))
