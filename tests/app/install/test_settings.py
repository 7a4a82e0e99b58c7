"""Our entries stand beside what others wrote, once, and go without it."""

import json

import pytest

from lib.workflow.app.install.settings import SettingsError, with_entries, without_entries

RULES = ("Bash(python -m skills.*)",)
HOOKS = ("python -m session",)
OTHERS = {"hooks": [{"type": "command", "command": "theirs"}], "matcher": "compact"}


@pytest.mark.parametrize(
    "held",
    [
        {},
        {"model": "m"},
        {"permissions": {"allow": ["Bash(ls)"], "deny": ["Read(.env)"]}},
        {"hooks": {"SessionStart": [OTHERS], "Stop": []}},
        {"permissions": {"deny": []}, "hooks": {"SessionStart": [OTHERS, "odd"]}},
    ],
    ids=str,
)
def test_entries_that_are_put_in_and_taken_out_leave_the_file_as_it_was(held: dict[str, object]) -> None:
    text = json.dumps(held, indent=4)
    after = with_entries(text, RULES, HOOKS)
    assert (after.rules, after.hooks) == (RULES, HOOKS)
    assert with_entries(after.text, RULES, HOOKS) == (after.text, (), ())
    assert json.loads(without_entries(after.text, RULES, HOOKS)) == held


def test_an_entry_that_somebody_had_is_not_ours() -> None:
    text = json.dumps({"permissions": {"allow": [*RULES]}})
    assert with_entries(text, RULES, ()).rules == ()


def test_a_group_that_somebody_added_to_is_left() -> None:
    text = with_entries(None, (), HOOKS).text.replace('"hooks": [\n          {', '"hooks": [{"command": "x"},{')
    assert without_entries(text, RULES, HOOKS) == text


@pytest.mark.parametrize(
    "text", ["{", "[]", "// a comment\n{}", '{"permissions": []}', '{"hooks": {"SessionStart": {}}}', "[" * 100_000]
)
def test_a_file_of_another_form_is_left_alone(text: str) -> None:
    with pytest.raises(SettingsError):
        with_entries(text, RULES, HOOKS)
