"""The command line of a step script, in this process; the laws run it for real."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lib.workflow.ast.nodes import Document
from lib.workflow.ast.parse import parse
from lib.workflow.ast.results import Refusal
from lib.workflow.ast.step import StepHeader
from lib.workflow.cli import main
from lib.workflow.cli.calls import read_call
from lib.workflow.command.quoting import quote
from lib.workflow.core import UsageError, WorkflowError
from lib.workflow.render.text import render_text
from skills.problem_analysis.workflow import WORKFLOW
from tests.blocks import only
from tests.wording import carries
from tests.workflows.review.workflow import WORKFLOW as REVIEW

HOME = "skills.problem_analysis.workflow"
Captured = pytest.CaptureFixture[str]


def test_a_step_is_printed_as_xml_or_as_text(capfd: Captured) -> None:
    assert main(HOME, ["--step", "2", "--total-steps", "5"]) == 0
    document = parse(capfd.readouterr().out)
    assert isinstance(document.blocks[0], StepHeader)
    assert main(HOME, ["--step", "2", "--format", "text"]) == 0
    assert capfd.readouterr().out == render_text(document) + "\n"


def test_the_words_come_from_the_command_line(capfd: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["analyze.py", "--step", "1"])
    assert main(HOME) == 0
    assert capfd.readouterr().out.startswith('<step_header script="problem-analysis" step="1"')


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--step", "0"], "0: problem-analysis … 1 to 5"),
        (["--step", "x"], "argument --step: 'x'"),
        (["--step", "1", "--total-steps", "4"], "--total-steps 4: problem-analysis has 5"),
        (["--step", "3", "--confidence", "sure"], "argument --confidence: 'sure' … exploring, low"),
        (["--step", "1", "--iteration", "2"], "1 … iteration … 3"),
        (["--step", "1", "--no-such-flag"], "unrecognized arguments: --no-such-flag"),
        ([], "required: --step"),
    ],
)
def test_wrong_usage_is_reported_on_standard_error(words: list[str], says: str, capfd: Captured) -> None:
    assert main(HOME, words) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert carries(captured.err, says)
    assert captured.err.endswith("--help.\n")


def test_help_teaches(capfd: Captured) -> None:
    assert main(HOME, ["--help"]) == 0
    said = " ".join(capfd.readouterr().out.split())
    assert "3 Investigate 4 Formulate" in said
    assert "exploring, low, medium, high, certain" in said


def test_a_flag_without_a_value_is_a_switch() -> None:
    call = read_call(REVIEW, ["--step", "2", "--state-dir", "x", "--loud"])
    assert call.context.step_state["loud"] is True
    call = read_call(REVIEW, ["--step", "2", "--state-dir", "x", "--no-loud"])
    assert call.context.step_state["loud"] is False
    with pytest.raises(UsageError):
        read_call(REVIEW, ["--step", "2", "--state-dir", "x", "--loud=yes"])


BROKEN = {
    "a missing module": ("", "broken-workflow", "ModuleNotFoundError: No module named"),
    "no workflow": ("WORKFLOW = 1\n", "broken-workflow", "WORKFLOW … `WORKFLOW = Workflow("),
    "a syntax error": ("\nWORKFLOW = (\n", "broken-workflow", "broken_2.py:2: SyntaxError: '(' was never closed"),
    "a fault": (
        "from lib.workflow.core import *\n"
        "WORKFLOW = Workflow('w', StepDef(id='a', title='A', next={Outcome.OK: 'b'}), module='a')\n",
        "broken-workflow",
        "workflow w: step a: ok … 'b'",
    ),
    "a prompts file": (
        "from lib.workflow.core import *\nfrom lib.workflow.core import with_prompts\n"
        "WORKFLOW = Workflow('w', *with_prompts(__file__, 'none.md', StepDef(id='a', next={Outcome.OK: None})), module='a')\n",
        "broken-workflow",
        "none.md:",
    ),
    "a broken promise": (
        "from lib.workflow.core import *\ndef f(context) -> tuple[Outcome, State]: return Outcome.FAIL, {}\n"
        "WORKFLOW = Workflow('w', StepDef(id='a', title='A', actions='x', handler=f, next={Outcome.OK: None}), module='a')\n",
        "broken-workflow",
        "workflow w: step a: … returned fail",
    ),
    "a failing handler": (
        "from lib.workflow.core import *\ndef f(context) -> tuple[Outcome, State]: raise OSError('disk\\x00 on <fire>')\n"
        "WORKFLOW = Workflow('w', StepDef(id='a', title='A', actions='x', handler=f, next={Outcome.OK: None}), module='a')\n",
        "internal-error",
        "OSError: disk\\x00 on <fire>",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_skill_is_a_refusal_on_standard_output(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    text, code, says = BROKEN[name]
    home = f"broken_{list(BROKEN).index(name)}"
    if text:
        (tmp_path / f"{home}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(home, ["--step", "1"]) == 1
    captured = capfd.readouterr()
    frame = only(captured.out, Refusal)
    assert (frame.code, frame.target, captured.err) == (code, home, "")
    assert carries(frame.message, says)
    assert frame.fix


def test_refusal_of_a_step_is_printed_with_a_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Captured
) -> None:
    (tmp_path / "refusing.py").write_text(
        "from lib.workflow.core import *\nfrom lib.workflow.errors import RefusedError\n"
        "def f(context) -> tuple[Outcome, State]: raise RefusedError('no-file', 'a <b>', 'it is \\x00', 'write it')\n"
        "WORKFLOW = Workflow('w', StepDef(id='a', title='A', actions='x', handler=f, next={Outcome.OK: None}), module='a')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main("refusing", ["--step", "1"]) == 1
    expected = Refusal(code="no-file", target="a <b>", message="it is \\x00", fix="write it")
    assert only(capfd.readouterr().out, Refusal) == expected


def test_a_refusal_comes_in_the_form_that_was_asked_for(capfd: Captured) -> None:
    for words in (["--format", "text"], ["--format=text"]):
        assert main("no_such_module", ["--step", "1", *words]) == 1
        assert capfd.readouterr().out.startswith("REFUSED no_such_module (fatal, broken-workflow):")


def test_a_traceback_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEPSCRIPT_TRACEBACK", "1")
    with pytest.raises(WorkflowError):
        main("no_such_module", ["--step", "1"])


def test_an_interrupt_is_quiet(monkeypatch: pytest.MonkeyPatch, capfd: Captured) -> None:
    def interrupt(step: int, context: object) -> Document:
        raise KeyboardInterrupt

    monkeypatch.setattr(WORKFLOW, "run", interrupt)
    assert main(HOME, ["--step", "1"]) == 130
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("locale", ["C", "POSIX", "en_US.ISO-8859-1"])
def test_output_is_utf_8_in_any_locale(locale: str) -> None:
    environment = {"PATH": os.environ["PATH"], "LC_ALL": locale, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-P", "-m", "tests.workflows.review.run", "--step", "1", "--state-dir", "é🙂"]
    run = subprocess.run(command, capture_output=True, cwd="/", env=environment, check=True)
    assert "é🙂" in run.stdout.decode("utf-8")


@pytest.mark.parametrize("where", [">&-", "> /dev/full"])
def test_unwritable_output_is_reported_without_a_traceback(where: str) -> None:
    command = f"{quote(sys.executable)} -P -m skills.problem_analysis.analyze --step 1 {where}"
    run = subprocess.run(["/bin/sh", "-c", command], capture_output=True, encoding="utf-8", check=False)
    assert run.returncode == 4
    assert run.stderr.count("\n") == 1


def test_a_bad_launcher_is_wrong_usage(monkeypatch: pytest.MonkeyPatch, capfd: Captured) -> None:
    monkeypatch.setenv("WORKFLOW_PYTHON", "python && x")
    assert main(HOME, ["--step", "1"]) == 2
    assert carries(capfd.readouterr().err, "WORKFLOW_PYTHON: … '&'")


@pytest.mark.parametrize("value", ["a\nb", "a\u2028b", "--"])
def test_a_value_that_no_command_can_carry_is_wrong_usage(value: str, capfd: Captured) -> None:
    assert main("tests.workflows.review.workflow", ["--step", "1", f"--state-dir={value}"]) == 2
    assert "--state-dir: " in capfd.readouterr().err


def test_undecodable_argument_is_wrong_usage() -> None:
    words = ["-P", "-m", "tests.workflows.review.run", "--step", "1", "--state-dir"]
    command: list[str | bytes] = [sys.executable, *words, b"\xff\x01"]
    run = subprocess.run(command, capture_output=True, cwd="/", check=False)
    assert run.returncode == 2
    assert b"Traceback" not in run.stderr
