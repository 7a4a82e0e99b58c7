"""Targets of a Makefile, and the cases in which they are unknown."""

import pytest

from skills.doc_sync.audit.makefile import MAX_PATTERNS, targets_of
from tests.subjects import ROOT

MAKEFILES: dict[str, tuple[str, set[str] | None]] = {
    "rules": ("a: b\n\techo x: y\nc d::\n# e: f\ng := h:i\n", {"a", "c", "d"}),
    "a line that goes on": ("a \\\n b: c\n", {"a", "b"}),
    "patterns": ("%.o: %.c\n", {"*.o"}),
    "variables": ("B := x\nA = $(B)/y\n$(A): z\n", {"x/y"}),
    "a variable of the environment": ("$(HOME)/x:\n", None),
    "a function": ("$(wildcard *.c):\n", None),
    "another file": ("include x\na:\n", None),
    "another file, perhaps": ("-include x\na:\n", None),
    "nothing": ("", set()),
}


@pytest.mark.parametrize(("text", "targets"), MAKEFILES.values(), ids=MAKEFILES.keys())
def test_targets_are_parsed_or_unknown(text: str, targets: set[str] | None) -> None:
    found = targets_of(text)
    assert (found.names if found else None) == targets


def test_targets_of_this_repository_are_known() -> None:
    with open(f"{ROOT}/Makefile", encoding="utf-8") as file:
        targets = targets_of(file.read())
    assert targets is not None
    assert targets.make("demo")
    assert not targets.make("dmeo")


def test_a_target_of_a_pattern_is_one() -> None:
    targets = targets_of("%.o: %.c\n")
    assert targets is not None
    assert targets.make("a.o")


BOMB = f"B = {'b' * 1_000}\nA = {'$(B)' * 2_000}\n$(A): x\n"


@pytest.mark.parametrize("text", [BOMB, "".join(f"%.{number}:\n" for number in range(MAX_PATTERNS + 1))])
def test_targets_too_expensive_to_parse_are_unknown(text: str) -> None:
    assert targets_of(text) is None
