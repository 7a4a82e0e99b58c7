"""Law 11: one exit contract, and no traceback reaches a user."""

import subprocess
from collections.abc import Iterator

import pytest

from lib.workflow.arguments.parameter import Parameter
from lib.workflow.command import Command
from lib.workflow.core import Workflow
from lib.workflow.testing.inprocess import run_here
from tests.subjects import WORKFLOWS, first


def wrong_calls(workflow: Workflow) -> Iterator[tuple[str, ...]]:
    """Yield command lines that no workflow accepts, and for each parameter one that this one does not."""
    good = first(workflow).words
    yield from ((), ("--step", "0"), ("--step", str(workflow.total_steps + 1)), ("--step", "x"), ("--step", "²"))
    yield from ((*good, "--no-such-flag"), (*good, "stray"), (*good, "--format", "pdf"), (*good, "--ste", "1"))
    yield (*good, "--total-steps", str(workflow.total_steps + 1))
    yield from ((*good, "--qr-fail"), (*good, "--qr-iteration", "7"))
    for parameter in workflow.parameters.values():
        step = next(
            number for number, name in enumerate(workflow.steps, 1) if parameter.name in workflow.taken_by(name)
        )
        words = ("--step", str(step))
        if parameter.type is not bool:
            yield (*words, parameter.flag)
        yield from (
            (*words, parameter.flag, wrong) for wrong in ("no such value", "0", "99") if not accepts(parameter, wrong)
        )


def accepts(parameter: Parameter, text: str) -> bool:
    try:
        parameter.read(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.name)
def test_a_wrong_call_says_what_to_do_on_standard_error_and_exits_with_2(workflow: Workflow) -> None:
    for words in wrong_calls(workflow):
        result = run_here(Command(workflow.module, words))
        assert (result.status, result.out) == (2, ""), words
        assert result.errors.strip(), words


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.name)
def test_help_exits_with_0_and_names_every_step_and_flag(workflow: Workflow) -> None:
    result = run_here(Command(workflow.module, ("--help",)))
    assert (result.status, result.errors) == (0, "")
    for word in (*(step.title for step in workflow.steps.values()), *(p.flag for p in workflow.parameters.values())):
        assert word in result.out


def test_closed_output_pipe_is_not_an_error() -> None:
    command = first(WORKFLOWS[0])
    done = subprocess.run(
        ["/bin/sh", "-c", f"{command} | true; echo done"], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.stdout, done.stderr) == ("done\n", "")
