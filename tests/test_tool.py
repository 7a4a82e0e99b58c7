"""A command beside a skill."""

from collections.abc import Sequence

import pytest

from lib.workflow.cli.tool import run
from lib.workflow.errors import RefusedError, UsageError


def answer(words: Sequence[str]) -> str:
    if "bad" in words:
        raise UsageError("'bad' is unknown")
    if "gone" in words:
        raise RefusedError("gone", "a file", "it is gone", "bring it back")
    return " ".join(words)


@pytest.mark.parametrize(
    ("words", "status", "out", "errors"),
    [
        (["a", "é"], 0, "a é\n", ""),
        (["--help"], 0, "Tells.\n", ""),
        (["gone"], 1, '<refusal code="gone"', ""),
        (["bad"], 2, "", "'bad'"),
    ],
)
def test_command_prints_its_result_or_reports_the_fault(
    words: list[str],
    status: int,
    out: str,
    errors: str,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.argv", ["tool", *words])
    assert run("a.tool", answer, "Tells.\n") == status
    captured = capfd.readouterr()
    assert captured.out.startswith(out)
    assert captured.err.startswith(errors)
    assert bool(captured.err) is bool(errors)
