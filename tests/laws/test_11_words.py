"""Law 11, for hostile words: no control characters come back, and every number has limits."""

import io
import json
import math
import os
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from lib.workflow.app.arguments import Number, Whole
from lib.workflow.app.main import COMMANDS, main, stepscript
from lib.workflow.util.characters import MAX_DIGITS, plain_json
from lib.workflow.util.output import USAGE, on_a_terminal, write
from skills.planner.commands.beginning import init
from tests.scripts import STEPSCRIPT, named, run_start, starts
from tests.subjects import WORKFLOWS
from tests.tables.found import TABLES

HOSTILE = "\x1b[31m\x9b2J\u202eabc\u2066\x07\x7f\u2028\udc9b"
ESCAPES = {repr(char)[1:-1] for char in HOSTILE if not char.isprintable()}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


@pytest.mark.parametrize("start", starts(), ids=named)
def test_refused_words_are_printed_back_escaped(start: tuple[str, ...]) -> None:
    for words in ((f"--{HOSTILE}",), (HOSTILE, HOSTILE), ("--step", HOSTILE), ("--format", HOSTILE), ("1", HOSTILE)):
        came = run_start(start, words)
        said = came.out + came.errors
        raw = {char for char in said if not (char.isprintable() or char in "\n\t")}
        assert raw == set(), (words, said)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_page_is_escaped_on_a_terminal_and_unchanged_elsewhere() -> None:
    for stream, shown in ((Terminal(), f"a\tb\n{on_a_terminal(HOSTILE)}\n"), (io.StringIO(), f"a\tb\n{HOSTILE}\n")):
        with redirect_stdout(stream):
            write(f"a\tb\n{HOSTILE}")
        assert stream.getvalue() == shown
    assert on_a_terminal(HOSTILE).isprintable()
    assert all(escape in on_a_terminal(HOSTILE) for escape in ESCAPES)


@pytest.mark.parametrize("value", [HOSTILE, "plain", "\U000e0001", "a\nb", "é\u200d"])
def test_json_says_what_a_terminal_would_act_on_by_escapes_and_holds_the_same(value: str) -> None:
    document = {value: [value, {"x": value}]}
    text = plain_json(json.dumps(document, ensure_ascii=False, indent=2))
    assert text.replace("\n", "").isprintable()
    assert json.loads(text) == document


@pytest.mark.parametrize(
    "words",
    [
        ("-m", STEPSCRIPT, "runs", "--json"),
        ("-m", STEPSCRIPT, "status", "--json"),
        ("-m", "skills.planner.status", "--json"),
        ("-m", STEPSCRIPT, "list", "--json"),
    ],
    ids=" ".join,
)
def test_json_of_a_hostile_run_has_no_control_characters(words: tuple[str, ...]) -> None:
    init(os.path.abspath(f".stepscript/runs/x{chr(0x202E)}y"), f"do \x9b2J{chr(0x202E)}this", project_root=os.getcwd())
    came = run_start(words[:-1], words[-1:])
    assert came.status == 0, came
    assert came.out.replace("\n", "").isprintable()
    assert json.loads(came.out)


class Flag(NamedTuple):
    """A flag of a command that takes a number."""

    command: str
    parameter: click.Parameter


def of_commands() -> Iterator[Flag]:
    context = click.Context(stepscript, **stepscript.context_settings)
    for name in COMMANDS:
        command = stepscript.get_command(context, name)
        assert command is not None
        for parameter in command.params:
            if isinstance(parameter.type, (click.types.IntParamType, click.types.FloatParamType)):
                yield Flag(name, parameter)


FLAGS = list(of_commands())
NUMBERS = [
    "nan",
    "inf",
    "-inf",
    "-1",
    "1e400",
    "1e9",
    "9" * 30,
    "9" * 5000,
    "-" + "9" * 30,
    "0x10",
    "1_0",
    "",
    " 1",
    "²",
]


def number(value: float) -> str:
    return str(int(value) if value == int(value) else value)


def test_commands_take_numbers() -> None:
    assert {flag.command for flag in FLAGS} >= {"gc", "run", "rehearse"}


@pytest.mark.parametrize("flag", FLAGS, ids=lambda flag: f"{flag.command} {flag.parameter.name}")
def test_every_number_of_a_command_has_limits_that_are_named(flag: Flag, capsys: pytest.CaptureFixture[str]) -> None:
    kind = flag.parameter.type
    assert isinstance(kind, (Whole, Number))
    assert math.isfinite(kind.least)
    assert kind.least <= kind.most < 1e18
    given = ["problem-analysis"] if flag.command in ("run", "rehearse") else []
    for text in NUMBERS:
        assert main([flag.command, *given, f"{flag.parameter.opts[0]}={text}"]) == USAGE, text
        said = " ".join(capsys.readouterr().err.split())
        assert f"{number(kind.least)} to {number(kind.most)}" in said
        assert len(said) < 300


@pytest.mark.parametrize("limit", ["developer=0", "developer=1000", f"developer={'9' * 5000}", "developer=nan", "x=1"])
def test_how_many_agents_a_worker_takes_has_limits_that_are_named(
    limit: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["worker", "--limit", limit]) == USAGE
    assert "1 to 999" in " ".join(capsys.readouterr().err.split())


def test_every_number_of_a_step_and_of_a_table_has_limits_that_are_named() -> None:
    parameters = [item for workflow in WORKFLOWS for item in workflow.parameters.values() if item.type is int]
    rows = [row for found in TABLES for row in found.table.rows.values()]
    parameters += [
        argument.item
        for row in rows
        for argument in row.arguments.values()
        if argument.item is not None and argument.item.type is int
    ]
    assert len(parameters) > 10
    for parameter in parameters:
        bounds = (parameter.arg.min, parameter.arg.max)
        for text in NUMBERS:
            if text == "-1" and bounds[0] is None:
                continue
            with pytest.raises(ValueError, match=re.escape(repr(text)[:40])) as refused:
                parameter.read(text)
            assert str(MAX_DIGITS) in str(refused.value) or None not in bounds
            assert len(str(refused.value)) < 300
        with pytest.raises(ValueError, match=r"\b18\b"):
            parameter.check(10**4000)
