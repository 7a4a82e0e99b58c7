"""Permissions of each client match our commands as pages print them, and no others."""

import json
import shlex
from fnmatch import fnmatchcase

import pytest

from lib.workflow.command import LAUNCHER_VARIABLE, Command, permission_hook
from lib.workflow.command import launcher as words_before_m
from lib.workflow.command.permissions import claude_rule, is_ours, opencode_settings
from lib.workflow.command.quoting import join

LAUNCHERS = {
    "a path": "/a.b/python -P",
    "a path with a blank": "'/p q/python' -P",
    "env with a variable": "env X=1 /p/python -P",
    "uv": "uv run --no-sync python -P",
    "a path with quotes": '"/it\'s \\$x/é/python" -P',
}
OURS = Command("skills.planner.cli.plan", ("--state-dir", "/a b", "set-decision", "--decision", "a -> b; c > d"))


@pytest.fixture(params=list(LAUNCHERS.values()), ids=list(LAUNCHERS))
def launcher(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the interpreter that pages name."""
    monkeypatch.setenv(LAUNCHER_VARIABLE, request.param)
    return str(request.param)


def ours() -> str:
    return str(Command(OURS.module, OURS.words))


def others() -> tuple[str, ...]:
    """Return commands that begin much alike."""
    python = join(words_before_m())
    return (
        f"{python} -m pip install x",
        f"{python} -m timeit 'print(1)'",
        f"{python} -c 'import skills.planner'",
        f"{python} -m skillsx.planner",
        f"{python} -m skills",
        f"python3 -m {OURS.module}",
        f"x {ours()}",
    )


def test_the_rule_of_claude_fits_the_commands_of_pages_and_no_others(launcher: str) -> None:
    rule = claude_rule("skills")
    assert rule is not None
    assert rule.startswith("Bash(")
    pattern = rule[len("Bash(") : -1].replace("[", "[[]")
    assert fnmatchcase(ours(), pattern)
    assert not any(fnmatchcase(other, pattern) for other in others())


def test_the_settings_of_opencode_fit_the_commands_of_pages_and_no_others(launcher: str) -> None:
    rules = json.loads(opencode_settings(["skills"]) or "")["permission"]["bash"]

    def said(command: str) -> object:
        return [rules[pattern] for pattern in rules if fnmatchcase(command, pattern.replace("[", "[[]"))][-1]

    assert said(ours()) == "allow"
    assert {said(other) for other in others()} == {"deny"}


def test_copilot_hook_allows_commands_of_pages_and_ignores_others(launcher: str) -> None:
    def said(command: str) -> str:
        call = {"toolName": "bash", "toolArgs": {"command": command, "description": "Go on"}}
        return permission_hook.decision(json.dumps(call), ["skills"])

    assert json.loads(said(ours())) == {"permissionDecision": "allow"}
    assert {said(other) for other in others()} == {""}


@pytest.mark.parametrize("sign", ["(", ")", "*"])
def test_path_that_a_rule_cannot_express_gets_no_rule(sign: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LAUNCHER_VARIABLE, shlex.join((f"/a{sign}b/python", "-P")))
    assert claude_rule("skills") is None
    assert (opencode_settings(["skills"]) is None) is (sign == "*")


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("", True),
        (" --survey-file - << 'EOF'\n$(rm -rf /) `x`\nEOF", True),
        (' --survey-file - <<"END"\n\nEND\n', True),
        (" --survey-file - <<EOF\n$(rm -rf /)\nEOF", False),
        (" --survey-file - <<'EOF'\nx\nEOF\nrm -rf /", False),
        (" --survey-file - <<'EOF'\nx\nEOF\nrm -rf /\nEOF", False),
        (" --survey-file - <<'EOF'\nx", False),
        (" && rm x", False),
        ("; rm x", False),
        (" | tee x", False),
        (" > x", False),
        (" 2>&1", False),
        (" $(rm x)", False),
        (" `rm x`", False),
        (" $HOME", False),
        ("\nrm x", False),
        (" &", False),
    ],
)
def test_only_one_command_with_nothing_that_a_shell_acts_on_is_ours(more: str, expected: bool) -> None:
    assert is_ours(f"{OURS}{more}", ["tests", "skills"]) is expected


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"toolArgs": 1}', '{"toolArgs": {"command": 1}}', '{"toolArgs": "x"}', "[" * 100_000],
)
def test_a_call_that_cannot_be_read_gets_no_answer(text: str) -> None:
    assert permission_hook.decision(text, ["skills"]) == ""


def test_arguments_can_be_json_in_a_string() -> None:
    text = json.dumps({"toolArgs": json.dumps({"command": str(OURS)})})
    assert permission_hook.decision(text, ["skills"]) == permission_hook.ALLOW
