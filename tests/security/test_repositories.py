"""A repository that brings its own runs: a look at it runs nothing, asks nobody and names nothing to run."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lib.workflow.app.main import COMMANDS, main
from lib.workflow.command import Command
from lib.workflow.state.consent import is_marked
from lib.workflow.testing.inprocess import run_here
from skills.incoherence.commands.table import TABLE as INCOHERENCE
from skills.planner.commands.plan_table import TABLE as PLAN
from skills.planner.commands.review_table import TABLE as REVIEW
from skills.planner.modules import RESUME, STATUS
from tests.security.hostile import DRIVEN_RUNS, NAMES, ODD, PLANNER_RUNS, Hostile, name_of
from tests.subjects import PROOF, of_each_step

PERMITTED = re.compile(r"-m skills\..*\.stepscript")
"""A command on a run that the installed rule lets an agent run unasked."""
STATUSES = (0, 1, 2, 3, 130)
Captured = pytest.CaptureFixture[str]


def every(*kinds: str) -> tuple[str, ...]:
    """Return the names of runs of those kinds, and of the folders without a run."""
    return (*map(name_of, kinds or NAMES), *ODD, "linked")


def with_each(*words: str) -> list[list[str]]:
    """Return the words with each run's name in the place of RUN, and its folder in that of DIR."""
    return [
        [word.replace("RUN", name).replace("DIR", f".stepscript/runs/{name}") for word in words] for name in every()
    ]


LOOKING: dict[str, list[list[str]]] = {
    "status": [[], ["--json"], *with_each("RUN"), *with_each("DIR", "--json")],
    "logs": [[], ["--json"], *with_each("RUN"), *with_each("RUN", "--json"), *with_each("RUN", "--follow")],
    "runs": [[], ["--json"], ["--all"], ["--all", "--json"]],
    "gc": [["--dry-run"], ["--days", "0", "--dry-run"]],
    "report": [
        *with_each("--state-dir", "DIR", "--output", "TMP/report.html"),
        *with_each("RUN", "--output", "TMP/of-run.html"),
    ],
    "resume": [[], *with_each("RUN"), *with_each("DIR", "--json")],
    "answer": [["1"], *with_each("RUN", "1")],
    "stop": [[], *with_each("RUN")],
    "cancel": [[], *with_each("RUN")],
    "trust": with_each("RUN"),
    "doctor": [[], ["--json"]],
    "install": [["--check"], ["--check", "--json"], ["--dry-run"]],
}
"""The commands that look at runs, or at a project."""
OTHER: dict[str, list[list[str]]] = {
    "list": [[], ["--all"]],
    "show": [["planner"]],
    "graph": [["planner"]],
    "step": [["problem-analysis", "1"]],
    "walk": [["problem-analysis"]],
    "validate": [["tests.workflows"]],
    "stats": [["problem-analysis"]],
    "new": [["probe", "--help"]],
    "schema": [[]],
    "completion": [["bash"]],
    "run": [
        ["executor", "--set", f"state_dir=.stepscript/runs/{name}", "--agent", "sh -c true", "--attempts", "1"]
        for name in map(name_of, (*PLANNER_RUNS, *DRIVEN_RUNS))
    ],
    "rehearse": [["problem-analysis"]],
    "worker": [["--address", "127.0.0.1:1"]],
    "uninstall": [["--dry-run"]],
    "bundle": [["TMP/bundle"]],
}


def test_every_command_is_tried() -> None:
    assert {*LOOKING, *OTHER} == {*COMMANDS}


@pytest.mark.parametrize("name", LOOKING)
def test_reading_a_hostile_repository_prints_no_command_from_it(
    name: str, hostile: Hostile, tmp_path: Path, capsys: Captured
) -> None:
    for words in LOOKING[name]:
        status = main([name, *(word.replace("TMP", str(tmp_path)) for word in words)])
        said = capsys.readouterr()
        assert status in STATUSES, (words, said)
        assert not PERMITTED.search(said.out + said.err), (words, said)
        assert "internal error" not in said.err, (words, said)
        assert "\x1b" not in said.out + said.err
    for page in tmp_path.glob("*.html"):
        assert not PERMITTED.search(page.read_text())


@pytest.mark.parametrize("name", OTHER)
def test_no_command_runs_programs_that_the_repository_names(
    name: str, hostile: Hostile, tmp_path: Path, capsys: Captured
) -> None:
    for words in OTHER[name]:
        status = main([name, *(word.replace("TMP", str(tmp_path)) for word in words)])
        assert status in STATUSES, (words, capsys.readouterr())


def scripts() -> Iterator[tuple[str, Command]]:
    """Yield a command of each step of each script that has a state, and of each row of each table."""
    for command in of_each_step():
        if "state_dir" in PROOF.targets.workflows[command.module].parameters:
            yield PROOF.targets.given(command), command
    for table in (PLAN, REVIEW, INCOHERENCE):
        for row in table.rows.values():
            for example in row.examples:
                words = ("--state-dir", "DIR", *table.shared[2:], row.name, *example.words)
                yield example.given, Command(table.module, words)


@pytest.mark.parametrize("kind", ["checks", "proc", "elsewhere", "planning", "incoherent", "both", "pipes", "endless"])
def test_no_script_runs_programs_that_a_hostile_state_names(kind: str, hostile: Hostile) -> None:
    folder = str(hostile.runs / (name_of(kind) if kind in NAMES else kind))
    staged = os.path.join(PROOF.stage.directory, "state_dir")
    statuses = set()
    for given, command in scripts():
        words = tuple(folder if word in ("DIR", staged) else word for word in command.words)
        ran = run_here(Command(command.module, words), given)
        assert ran.status in STATUSES, (words, ran)
        assert "internal-error" not in ran.out, (words, ran)
        assert hostile.sprung == [], words
        statuses.add(ran.status)
    assert 1 in statuses


@pytest.mark.parametrize("module", [RESUME, STATUS, "skills.planner.session"])
def test_no_script_that_says_where_a_run_is_names_what_comes_next(module: str, hostile: Hostile) -> None:
    folders = [str(hostile.runs / name) for name in every()]
    command_lines = (
        [(), *(("--state-dir", folder) for folder in folders)]
        if module != "skills.planner.session"
        else [(), ("--json",)]
    )
    for words in command_lines:
        ran = run_here(Command(module, words))
        assert ran.status in STATUSES, (words, ran)
        assert not PERMITTED.search(ran.out + ran.errors), (words, ran)


def test_refusal_shows_the_programs_and_the_command_that_trusts_them(hostile: Hostile, capsys: Captured) -> None:
    ran = run_here(Command(RESUME, ("--state-dir", str(hostile.run("checks")))))
    assert ran.status == 1
    assert "check-checks" in ran.out
    assert str(hostile.folder) in ran.out
    assert f"trust {hostile.run('checks')}" in ran.out
    assert main(["trust", name_of("driven")]) == 1
    said = capsys.readouterr().err
    assert "agent-driven" in said
    assert "--yes" in said
    assert main(["trust", name_of("served")]) == 1
    assert hostile.listener.address in capsys.readouterr().err
    assert not any(is_marked(str(hostile.run(kind))) for kind in NAMES)
    assert not any(is_marked(str(hostile.run(kind) / "driver")) for kind in DRIVEN_RUNS)


def test_runs_of_the_repository_are_listed_as_unmarked(hostile: Hostile, capsys: Captured) -> None:
    assert main(["runs"]) == 0
    assert "(unmarked)" in capsys.readouterr().out
    assert main(["runs", "--json"]) == 0
    found = {os.path.basename(row["run"]): row["yours"] for row in json.loads(capsys.readouterr().out)["runs"]}
    assert {name_of(kind) for kind in NAMES} <= found.keys()
    assert not any(found.values())
