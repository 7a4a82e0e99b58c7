"""`stepscript run` and related commands as a user meets them: answer, resume, logs, cancel, gc."""

import json
import os
import shlex
from collections.abc import Iterable
from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.app.main import main
from lib.workflow.app.runs.found_runs import find
from lib.workflow.core import Workflow
from lib.workflow.run import allowed_commands as accepting
from lib.workflow.run.engine import Ended, Spec, State
from lib.workflow.run.graphs import Graphs, Step, graphs_of
from lib.workflow.run.journal.status import standing

WILLING = "sh -c 'cat > /dev/null; echo Notes; echo WAY: 1'"
BROKE = "sh -c 'echo no credit >&2; exit 3'"
START = ("run", "problem-analysis", "It hangs at noon")
Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".stepscript").mkdir()
    monkeypatch.chdir(tmp_path)


def shown(capsys: Captured, *words: str) -> tuple[int, str]:
    """Return the exit status and standard output of a command."""
    capsys.readouterr()
    return main(words), capsys.readouterr().out


def test_run_with_a_willing_agent_ends_and_prints_the_last_reply(capsys: Captured) -> None:
    status, out = shown(capsys, *START, "--agent", WILLING)
    assert status == 0
    assert "Notes" in out
    now = standing(find(None))
    assert (now.state, now.account.pages, now.account.replied) == (State.DONE, 5, 5)
    prompts = Path(now.run, "agents").glob("*.prompt")
    assert all("hangs at noon" in prompt.read_text() for prompt in prompts)


def test_a_run_that_waits_is_answered_by_the_command_that_it_prints(capsys: Captured) -> None:
    status, out = shown(capsys, *START, "--agent", BROKE, "--attempts", "1")
    assert status == 3
    name = os.path.basename(os.path.dirname(find(None)))
    assert f"answer {name} 1" in out
    assert standing(find(name)).state is State.WAITING
    assert shown(capsys, "answer", name, "9")[0] == 2
    assert shown(capsys, "answer", name, "2", "--no-resume")[0] == 0
    assert shown(capsys, "answer", name, "2", "--no-resume")[0] == 2  # nothing is asked any more
    assert shown(capsys, "resume", name)[0] == 1
    assert standing(find(name)).state is State.STOPPED
    assert json.loads(shown(capsys, "status", name, "--json")[1])["state"] == "stopped"
    assert shown(capsys, "cancel", name)[0] == 0
    assert shown(capsys, "cancel", name)[0] == 2
    assert shown(capsys, "answer", name, "1")[0] == 2
    assert shown(capsys, "resume", name) == (1, "\ncancelled\n")
    assert [each["state"] for each in json.loads(shown(capsys, "runs", "--json")[1])["runs"]] == ["cancelled"]
    assert "no credit" in shown(capsys, "logs", name)[1]
    assert shown(capsys, "logs", name, "--agent", "nobody")[0] == 2
    assert name in shown(capsys, "gc", "--days", "0", "--dry-run")[1]
    assert find(name)
    shown(capsys, "gc", "--days", "0")
    assert not os.listdir(".stepscript/runs")


def test_run_whose_workflow_has_changed_resumes_by_the_printed_command(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown(capsys, *START, "--agent", BROKE, "--attempts", "1")
    name = os.path.basename(os.path.dirname(find(None)))
    assert shown(capsys, "answer", name, "1", "--no-resume")[0] == 0
    more = Step(id="more", takes=(), ways=(), agents=())

    def changed(workflows: Iterable[Workflow]) -> Graphs:
        graphs = graphs_of(workflows)
        return evolve(graphs, scripts=tuple(evolve(each, steps=(*each.steps, more)) for each in graphs.scripts))

    monkeypatch.setattr(accepting, "graphs_of", changed)
    assert main(["resume", name]) == 1
    said = capsys.readouterr().err
    assert "skills.problem_analysis.analyze" in said
    (command,) = (line.strip() for line in said.splitlines() if "--changed" in line)
    assert main(shlex.split(command)[1:]) == 3


def test_a_run_that_is_cancelled_while_it_waits_asks_nothing_more(capsys: Captured) -> None:
    shown(capsys, *START, "--agent", BROKE, "--attempts", "1")
    name = os.path.basename(os.path.dirname(find(None)))
    assert f"answer {name} 1" in shown(capsys, "status", name)[1]
    assert shown(capsys, "cancel", name)[0] == 0
    assert "answer" not in shown(capsys, "status", name)[1]
    assert shown(capsys, "answer", name, "1")[0] == 2
    assert standing(find(name)).state is State.CANCELLED


def test_a_rehearsal_that_is_not_kept_is_not_said_to_be_resumed(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted:
        async def go(self, run: str, spec: Spec) -> Ended:
            return Ended(state=State.INTERRUPTED)

    monkeypatch.setattr("lib.workflow.app.runs.driving.engine_of", lambda *_: Interrupted())
    for words, says in ((), "--keep"), (("--keep", "x"), "resume"):
        status, out = shown(capsys, "rehearse", "problem-analysis", *words)
        assert status == 130
        assert [word for word in ("--keep", "resume") if word in out] == [says]


def test_with_json_every_line_is_an_event(capsys: Captured) -> None:
    status, out = shown(capsys, "rehearse", "planner", "--all-faults", "--seed", "3", "--json")
    assert status == 0
    events = [json.loads(line)["event"] for line in out.splitlines()]
    assert (events[0], events[-1], events.count("done")) == ("begun", "done", 2)
    assert {"attempt", "failed", "replied", "step"} <= set(events)


def test_rehearsed_plan_is_also_executed_and_its_name_means_the_last_run(capsys: Captured) -> None:
    words = ("rehearse", "planner", "Limit requests", "--keep", ".stepscript/runs/x")
    status, out = shown(capsys, *words)
    assert status == 0
    titles = [line.strip() for line in out.splitlines()]
    assert [name for name in ("planner", "executor") if name in titles] == ["planner", "executor"]
    assert [each for each in titles if each.startswith("W-00")] != []
    now = standing(find("x"))
    assert (now.spec.workflow, now.state, os.path.basename(now.run)) == ("executor", State.DONE, "driver-2")
    assert [each["state"] for each in json.loads(shown(capsys, "runs", "--json")[1])["runs"]] == ["done"]
    assert "W-001" in shown(capsys, "resume", "x")[1]  # printed again, and nothing done


def test_without_git_a_plan_is_not_rehearsed(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(("rehearse", "planner", "--keep", "x")) == 2
    assert "git" in capsys.readouterr().err
    assert not os.path.exists("x")


def test_second_run_in_a_folder_whose_run_has_not_ended_is_refused(capsys: Captured) -> None:
    words = (
        "run",
        "planner",
        "x",
        "--agent",
        BROKE,
        "--attempts",
        "1",
        "--set",
        f"state_dir={os.path.abspath('state')}",
    )
    assert shown(capsys, *words)[0] == 3
    assert main(words) == 2
    assert "resume" in capsys.readouterr().err
    assert shown(capsys, "cancel", "state")[0] == 0
    assert shown(capsys, *words)[0] == 3


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("run", "planer", "x"), "planner"),
        (("run", "refactor", "--agent", WILLING), "--scope"),
        (("run", "problem-analysis", "--agent", "no-such-program"), "claude"),
        (("run", "problem-analysis", "--agent", ""), "claude"),
        (("run", "problem-analysis", "--agent", WILLING, "--set", "x"), "NAME=VALUE"),
        (("run", "planner", "--agent", WILLING), '"what you want"'),
        (("run", "executor", "x", "--agent", WILLING), "--set state_dir=DIR"),
        (("run", "plan-design", "--agent", WILLING), "--set state_dir=DIR"),
        (("rehearse", "plan-design"), "skills.planner.architect.plan_design"),
        (("status", "no-such-run"), "'no-such-run'"),
        (("resume",), "stepscript run"),
    ],
)
def test_wrong_arguments_are_reported_before_anything_starts(
    words: tuple[str, ...], says: str, capsys: Captured
) -> None:
    assert main(words) == 2
    assert says in capsys.readouterr().err
    assert not os.path.exists(".stepscript/runs") or not os.listdir(".stepscript/runs")
