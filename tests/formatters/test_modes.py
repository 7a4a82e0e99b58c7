"""Command lines of scripts that loop by flags."""

import argparse

import pytest

from lib.workflow import cli
from lib.workflow.cli import add_qr_args, mode_main, workflow_main
from lib.workflow.formatters.modes import qr_state
from lib.workflow.formatters.types import FlatCommand, GuidanceResult, QRState, Step

Captured = pytest.CaptureFixture[str]
STEPS = {1: Step("Look", ["a"]), 2: Step("Tell", ["b"])}


def test_review_flags_map_to_a_state() -> None:
    parser = argparse.ArgumentParser()
    add_qr_args(parser)
    assert qr_state(parser.parse_args([])) == QRState()
    given = ["--qr-iteration", "2", "--qr-fail", "--qr-status", "fail"]
    assert qr_state(parser.parse_args(given)) == QRState(2, True, "fail")


def test_a_mode_script_prints_the_step_that_its_function_describes(capsys: Captured) -> None:
    def guidance(step: int, total: int, script: str, **flags: object) -> GuidanceResult:
        return GuidanceResult("T", [f"{step} {total} {flags}"], FlatCommand(script))

    words = ["--step", "1", "--total-steps", "2", "--scope", "x"]
    mode_main("/a/mode.py", guidance, "d", [(["--scope"], {})], words)
    printed = capsys.readouterr().out
    assert printed.startswith('<step_header script="mode" step="1" total="2">T</step_header>\n\n<xml_format_mandate>')
    assert "'scope': 'x'" in printed
    assert "/a/mode.py" in printed
    mode_main("m.py", lambda *_, **__: {"title": "T", "actions": ["a"], "next": None}, "d", argv=words[:4])
    assert "invoke_after" not in capsys.readouterr().out.partition("</xml_format_mandate>")[2]


def test_a_workflow_script_prints_plain_text(capsys: Captured) -> None:
    workflow_main(STEPS, "w", "d", ["--step", "1", "--total-steps", "2"])
    assert capsys.readouterr().out == "STEP 1/2: Look\n\nDO:\n  a\n\nNEXT: Step 2 - Tell\n"
    workflow_main(STEPS, "w", "d", ["--step", "2", "--total-steps", "2"])
    assert "COMPLETE" in capsys.readouterr().out


@pytest.mark.parametrize("step", ["0", "3", "x"])
def test_a_step_that_is_not_there_exits_with_2(step: str, capsys: Captured) -> None:
    with pytest.raises(SystemExit) as done:
        workflow_main(STEPS, "w", "d", ["--step", step, "--total-steps", "2"])
    assert done.value.code == 2
    with pytest.raises(SystemExit):
        workflow_main({1: STEPS[1]}, "w", "d", ["--step", "2", "--total-steps", "2"])
    assert "--step 2: " in capsys.readouterr().err


def test_unprintable_step_is_reported_without_a_traceback(capsys: Captured) -> None:
    with pytest.raises(SystemExit) as done:
        workflow_main({1: Step("a\nCOMPLETE", ["a"])}, "w.py", "d", ["--step", "1", "--total-steps", "1"])
    assert done.value.code == 1
    assert capsys.readouterr().err.startswith("w.py: title: U+000A")


@pytest.mark.parametrize("number", ["x\x1b[31m", "9" * 5000, "-1", "1.0"])
def test_malformed_number_is_reported_escaped_and_with_its_limit(number: str, capsys: Captured) -> None:
    with pytest.raises(SystemExit) as done:
        workflow_main(STEPS, "w", "d", [f"--step={number}", "--total-steps", "2"])
    assert done.value.code == 2
    said = capsys.readouterr().err
    assert "18" in said
    assert said.replace("\n", "").isprintable()


def test_unknown_name_of_the_command_line_module_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        _ = cli.nothing  # type: ignore[attr-defined]  # what the test is about
