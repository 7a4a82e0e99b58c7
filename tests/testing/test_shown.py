"""Commands that a text shows, for any name of the interpreter."""

import pytest

from lib.workflow.command import LAUNCHER_VARIABLE, Command
from lib.workflow.testing.shown import commands_in

LAUNCHERS = (
    "/usr/bin/python3 -P",
    "'/My Docs/it'\"'\"'s/Ünï/python' -P",
    "env A=b 'x y/python'",
    "uv run --no-sync python -P",
)


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_each_command_is_found_with_its_input(launcher: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LAUNCHER_VARIABLE, launcher)
    first = Command("a.b", ("set", "it's `code`", "--file", "-"))
    second, third, fourth = Command("a.b", ("x",)), Command("c.d"), Command("c.d", ("--step", "1"))
    text = f"""Do this, isn't it:

{first}

    the product
      indented

    {second}
Or `{third}`, else `python -m os`, then `{fourth}`.

Run -m nothing; python -P -m a.b is prose.
"""
    assert [*commands_in(text)] == [(first, "the product\n  indented\n"), (second, ""), (third, ""), (fourth, "")]
