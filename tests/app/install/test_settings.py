"""Settings files: our entries join others' once, and go without them; every other byte stays."""

import json
import random

import pytest

from lib.workflow.app.install.settings import SettingsError, with_entries, without_entries
from tests.wording import carries

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
@pytest.mark.parametrize("indent", [None, 2, 4, "\t"])
def test_entries_that_are_put_in_and_taken_out_leave_the_file_as_it_was(
    held: dict[str, object], indent: int | str | None
) -> None:
    text = json.dumps(held, indent=indent)
    after = with_entries(text, RULES, HOOKS)
    assert (after.rules, after.hooks) == (RULES, HOOKS)
    assert with_entries(after.text, RULES, HOOKS) == (after.text, (), ())
    before = json.loads(after.text)
    assert RULES[0] in before["permissions"]["allow"]
    assert before["hooks"]["SessionStart"][-1] == {"hooks": [{"type": "command", "command": HOOKS[0]}]}
    assert without_entries(after.text, RULES, HOOKS) == text


def test_a_file_that_was_not_there_is_laid_out_as_people_do() -> None:
    made = with_entries(None, RULES, HOOKS).text
    assert made == json.dumps(json.loads(made), indent=2) + "\n"
    assert "".join(without_entries(made, RULES, HOOKS).split()) == "{}"


ODD = {
    "a number that no program holds": '{\n  "x": 1e400,\n  "y": -0.0e-0\n}\n',
    "a duplicate key": '{"a": 1, "a": 2, "a": {"b": [], "b": []}}',
    "half a character": '{\n    "s": "\\ud800", "t": "\\udc00\\u0000"\n}',
    "bytes that are no text": '{"s": "\udcff\udc80"}',
    "comments": '// top\n{ // one\n  /* two */ "a": 1, // three\n  "permissions": {\n    "allow": [\n      "x" // four\n    ] // five\n  } /* six */\n}\n// end',
    "a comma behind the last": '{\n  "permissions": {\n    "allow": ["x",],\n  },\n}\n',
    "lines of Windows": '{\r\n\t"a": [],\r\n\t"permissions": {\r\n\t\t"deny": ["x"]\r\n\t}\r\n}\r\n',
    "a mark of the byte order": '\ufeff{\n  "a": 1\n}\n',
    "words that are no JSON": '{"a": NaN, "b": Infinity, "c": undefined}',
    "names that hold escapes": '{"\\u0061": "\\/", "permis\\u0073ions": {"allow": []}, "c": "\\x"}',
    "a list that is empty but for a comment": '{\n "permissions": {\n  "allow": [\n   // none yet\n  ]\n }\n}',
    "deep nests": '{"a": ' + "[" * 90 + "]" * 90 + "}",
}


@pytest.mark.parametrize("name", ODD)
def test_unknown_settings_are_left_unchanged(name: str) -> None:
    text = ODD[name]
    after = with_entries(text, RULES, HOOKS)
    assert (after.rules, after.hooks) == (RULES, HOOKS)
    assert is_within(text, after.text)
    assert with_entries(after.text, RULES, HOOKS).text == after.text
    back = without_entries(after.text, RULES, HOOKS)
    assert back == text or '"allow": []' in text  # which is removed because it is empty
    assert is_within(back, text)


def is_within(part: str, whole: str) -> bool:
    """Return True if every character of a text is in another, in its order."""
    rest = iter(whole)
    return all(char in rest for char in part)


def test_random_settings_are_restored_after_our_entries_are_removed() -> None:
    chance = random.Random(7)
    for _ in range(300):
        held = {
            "permissions": {"allow": _some(chance), "z": 1},
            "hooks": {"SessionStart": [OTHERS] * chance.randint(1, 2)},
        }
        text = json.dumps(held, indent=chance.choice([None, 1, 2, "\t"]))
        for mark in ("\n", ", "):
            if chance.random() < 0.5:
                text = text.replace(mark, f"{mark}/* {chance.randint(0, 9)} */", chance.randint(1, 3))
        rules = tuple(f"rule {n}" for n in range(chance.randint(1, 3)))
        after = with_entries(text, rules, HOOKS).text
        assert is_within(text, after)
        assert without_entries(after, rules, HOOKS) == text


def _some(chance: random.Random) -> list[str]:
    return [f"Bash({number})" for number in range(chance.randint(1, 3))]


def test_entry_that_the_user_already_had_is_not_ours() -> None:
    text = json.dumps({"permissions": {"allow": [*RULES]}})
    assert with_entries(text, RULES, ()).rules == ()


def test_group_that_the_user_extended_is_kept() -> None:
    text = with_entries(None, (), HOOKS).text.replace('"hooks": [\n          {', '"hooks": [{"command": "x"},{')
    assert without_entries(text, RULES, HOOKS) == text


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("{", "1, column 2:"),
        ("[]", "1, column 1:"),
        ('{\n  "permissions": []}', "line 2, column 18: permissions … object"),
        ('{"hooks": {"SessionStart": {}}}', "line 1, column 28: hooks.SessionStart … list"),
        ('{"permissions": {},\n"permissions": {}}', "2, column 1: … 'permissions'"),
        ('{"permissions": {"allow": [], "allow": []}}', "1, column 31: … 'allow'"),
        ("[" * 100_000, "100"),
        ('{"a": "x}', "1, column 7:"),
        ('{"a": }', "1, column 7:"),
        ('{"a" 1}', "1, column 6:"),
        ('{"a": 1 "b": 2}', "1, column 9: … }"),
        ("{} {}", "1, column 4:"),
        ("{'a': 1}", "1, column 2:"),
        ("\udcff\udcfe{\x00}\x00", "1, column 1:"),
    ],
)
def test_a_file_of_another_form_is_left_alone_and_the_place_is_named(text: str, place: str) -> None:
    with pytest.raises(SettingsError) as refused:
        with_entries(text, RULES, HOOKS)
    assert carries(str(refused.value), place)


def test_file_of_megabytes_is_edited_in_time() -> None:
    text = json.dumps({"a": ["x" * 10] * 50_000, "b": {str(n): n for n in range(20_000)}})
    assert with_entries(text, RULES, HOOKS).text.startswith(text[:-1])
