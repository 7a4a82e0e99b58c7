"""Which targets a Makefile has, and when that cannot be told."""

import pytest

from skills.doc_sync.audit.makefile import makes, targets_of
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
def test_targets_are_read_off_or_not_told(text: str, targets: set[str] | None) -> None:
    assert targets_of(text) == targets


def test_this_repositorys_own_targets_can_be_told() -> None:
    with open(f"{ROOT}/Makefile", encoding="utf-8") as file:
        targets = targets_of(file.read())
    assert targets is not None
    assert makes(targets, "demo")
    assert not makes(targets, "dmeo")


def test_a_target_of_a_pattern_is_one() -> None:
    assert makes(frozenset({"*.o"}), "a.o")
