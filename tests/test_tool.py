"""A command beside a skill."""

from collections.abc import Sequence

import pytest

from lib.workflow.errors import UsageError
from lib.workflow.tool import run


def told(words: Sequence[str]) -> str:
    if "bad" in words:
        raise UsageError("bad is no word")
    return " ".join(words)


@pytest.mark.parametrize(
    ("words", "expected"),
    [(["a", "é"], (0, "a é\n", "")), (["bad"], (2, "", "bad is no word\n")), (["--help"], (0, "Tells.\n", ""))],
    ids=str,
)
def test_it_prints_what_is_asked_for_or_says_what_is_wrong(
    words: list[str], expected: tuple[int, str, str], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["tool", *words])
    assert (run(told, "Tells.\n"), *capfd.readouterr()) == expected
