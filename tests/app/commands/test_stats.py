"""Cost of a workflow by a simulated run, and cost of a real run."""

import json
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.app.runs.simulation import PROJECT, PYTHON, normalised
from lib.workflow.run.journal.history import entries
from lib.workflow.run.journal.journal import Event
from tests.app.terminals import Terminal
from tests.wording import carries

Captured = pytest.CaptureFixture[str]


def stats(capsys: Captured, *words: str) -> dict[str, object]:
    """Return the output for programs."""
    assert main(["stats", *words, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def total(rows: object, number: str) -> int:
    """Return the sum of a number over rows."""
    assert isinstance(rows, list)
    return sum(row[number] for row in rows)


@pytest.mark.parametrize("workflow", ["planner", "incoherence", "solution-design"])
def test_a_workflow_is_measured_by_a_simulated_run_whole(workflow: str, capsys: Captured) -> None:
    value = stats(capsys, workflow)
    assert value["name"] == workflow
    for number in ("agents", "commands", "pages", "characters", "repeated", "prompts"):
        assert total(value["steps"], number) == total(value["roles"], number) == value[number]
    assert total(value["kinds"], "characters") == value["characters"]
    assert stats(capsys, workflow) == value


def test_a_step_is_counted_with_the_agents_that_it_launches(capsys: Captured) -> None:
    steps = stats(capsys, "solution-design")["steps"]
    assert isinstance(steps, list)
    launching = [step for step in steps if step["agents"]]
    assert [step["name"] for step in launching] == ["solution-design 3: Collect the proposals"]
    assert launching[0]["pages"] > launching[0]["agents"]


def test_stats_of_a_run_include_the_run_that_follows_it(tmp_path: Path, capsys: Captured) -> None:
    assert main(["rehearse", "planner", "--keep", str(tmp_path / "a run"), "--json"]) == 0
    capsys.readouterr()
    value = stats(capsys, str(tmp_path / "a run"))
    assert (value["name"], value["untold"]) == ("a run", 0)
    assert isinstance(value["steps"], list)
    assert {str(step["name"]).split()[0] for step in value["steps"]} == {"planner", "executor"}
    assert isinstance(value["agents"], int)
    assert value["agents"] > 20
    assert isinstance(value["usage"], dict)
    assert value["usage"]["tokens"] == 0
    assert len(value["usage"]["agents"]) == value["agents"]


def test_tokens_of_a_run_are_shown_with_their_origin(tmp_path: Path, capsys: Captured) -> None:
    folder = str(tmp_path / "run")
    assert main(["rehearse", "problem-analysis", "--keep", folder]) == 0
    keys = launched(folder)
    agents = tmp_path / "run" / "driver" / "agents"
    (agents / f"{keys[0]}-1.prompt").write_text("x" * 40_000)
    (agents / f"{keys[1]}-1.prompt").write_text("x")
    (agents / f"{keys[1]}-1.errors").write_text("tokens used\n2,000\n")
    capsys.readouterr()
    for command in ("stats", "status"):
        main([command, folder])
        assert "tokens (2,000 reported, " in " ".join(capsys.readouterr().out.split())
        main([command, folder, "--json"])
        usage = json.loads(capsys.readouterr().out)["usage"]
        assert usage["reported"] == 2_000
        assert usage["estimated"] >= 10_000


def launched(folder: str) -> list[str]:
    """Return the keys of the agents of a run."""
    attempts = [entry.key for entry in entries(f"{folder}/driver") if entry.event is Event.ATTEMPT]
    return list(dict.fromkeys(attempts))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "planer",
            "'planer' … planner",
        ),
        ("by-hand", "'stepscript stats --help'"),
        ("plan-design-execute", "skills.planner.architect.plan_design_execute"),
    ],
)
def test_unmeasurable_name_is_refused_with_a_fix(
    name: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    (tmp_path / ".stepscript" / "runs" / "by-hand").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert main(["stats", name]) == 2
    assert carries(" ".join(capsys.readouterr().err.split()), says)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a /tmp/x y/project/src/a.py", f"a {PROJECT}/src/a.py"),
        (
            "--state-dir '/tmp/x y/.stepscript/runs/r' --id 'a b'",
            f"--state-dir {PROJECT}/.stepscript/runs/r --id 'a b'",
        ),
        ("'/opt/a b/python' -P", f"{PYTHON} -P"),
        ("/opt/a b/python", PYTHON),
    ],
)
def test_names_of_folders_are_counted_as_the_same_on_every_machine(text: str, shown: str) -> None:
    names = {"/tmp/x y/project": PROJECT, "/tmp/x y": PROJECT, "/opt/a b/python": PYTHON}
    assert normalised(text, names) == shown


def test_people_get_tables_within_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stdout", terminal)
    assert main(["stats", "planner"]) == 0
    shown = terminal.getvalue().splitlines()
    assert max(map(len, shown)) <= 80
    assert shown[0] == "planner"
    assert "repeated" in shown[-1]
