"""The permission in Gemini CLI's format matches our commands in any folder of the interpreter."""

import json
import re
import tomllib

import pytest

from lib.workflow.command import Command
from lib.workflow.command.permissions import gemini_policy
from lib.workflow.command.quoting import join


@pytest.mark.parametrize("python", ["/a.b/python", "/pro ject/it's/$x/é (1)+/python", "C:/x/python.exe"])
def test_the_policy_matches_a_command_from_its_beginning_and_its_package(
    python: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKFLOW_PYTHON", join([python, "-P"]))
    (rule,) = tomllib.loads(gemini_policy(["skills"]))["rule"]
    assert (rule["toolName"], rule["decision"]) == ("run_shell_command", "allow")
    # as the program does: the pattern follows the name of the argument
    pattern = re.compile(f'"command":"{rule["commandRegex"]}')

    def holds(command: str) -> bool:
        text = json.dumps({"command": command}, ensure_ascii=False, separators=(",", ":"))
        return pattern.search(text) is not None

    ours = str(Command("skills.planner.cli.qr", ("--finding", "it's")))
    assert holds(ours)
    assert not any(map(holds, (f"x {ours}", ours.replace("skills", "skillz"), ours.replace("python", "pythOn"))))
