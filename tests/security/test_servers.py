"""A server that a run names is asked only if the user named it or agreed to it, and never for long."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.app.runs.hosts.serving import cast_for
from lib.workflow.errors import RefusedError
from lib.workflow.run.engine import Spec
from lib.workflow.run.journal import mark as marks
from lib.workflow.run.temporal import connection
from lib.workflow.run.temporal.host_record import Record, read_record, write_record
from lib.workflow.run.temporal.place import id_of
from lib.workflow.state.consent import MARK
from tests.security.hostile import Listener
from tests.wording import coded

SPEC = Spec(
    workflow="problem-analysis", start="python3 -m skills.problem_analysis.analyze --step 1", request="x", agent="true"
)
NAMES = ("a", "b", "c", "d")
LIMIT = 0.5
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def project(listener: Listener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a project with runs of the user on a server that accepts connections and never sends anything."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(connection, "CONNECT", LIMIT)
    for name in NAMES:
        begun(tmp_path, name, listener)
    return tmp_path


def begun(project: Path, name: str, listener: Listener) -> Path:
    driver = project / ".stepscript" / "runs" / name / "driver"
    record = Record(
        id=id_of("any", str(driver)),
        queue="any",
        root=str(project),
        spec=SPEC,
        address=listener.address,
        namespace="default",
    )
    write_record(str(driver), record)
    marks.mark(str(driver), SPEC, (listener.address, "default"))
    return driver


def driver(project: Path, name: str) -> Path:
    return project / ".stepscript" / "runs" / name / "driver"


def without_marks(project: Path) -> None:
    for name in NAMES:
        (driver(project, name) / MARK).unlink()


def to_another_address(project: Path) -> None:
    """Change the address in the folder of a started run, as a repository could do later."""
    for name in NAMES:
        path = driver(project, name) / "temporal.json"
        path.write_text(path.read_text().replace('"default"', '"other"'))


def test_a_list_of_runs_asks_no_server(listener: Listener, capsys: Captured) -> None:
    assert main(["runs", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["runs"]
    assert [(row["state"], row["yours"]) for row in rows] == [("on-server", True)] * len(NAMES)
    assert listener.connections == 0


def test_servers_are_asked_at_once_and_given_up_soon(listener: Listener, capsys: Captured) -> None:
    before = time.monotonic()
    assert main(["gc", "--days", "0"]) == 0
    assert time.monotonic() - before < LIMIT * len(NAMES)
    assert listener.connections >= len(NAMES)
    assert "0 runs deleted" in capsys.readouterr().out
    assert main(["status", "a", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["state"] == "unknown"
    assert main(["logs", "a"]) == 1


@pytest.mark.parametrize("change", [without_marks, to_another_address])
@pytest.mark.parametrize(
    "words",
    [
        *(["runs"], ["status", "a"], ["status", "a", "--json"], ["status"], ["logs", "a"], ["gc", "--days", "0"]),
        *(["resume", "a"], ["answer", "a", "1"], ["cancel", "a"], ["doctor"], ["trust", "a"]),
    ],
    ids=" ".join,
)
def test_a_server_that_the_user_has_not_named_is_not_asked(
    words: list[str], change: Callable[[Path], None], listener: Listener, project: Path, capsys: Captured
) -> None:
    change(project)
    assert main(words) in (0, 1)
    assert listener.connections == 0
    assert driver(project, "a").is_dir()


def test_a_worker_does_no_run_that_the_user_has_not_agreed_to(project: Path) -> None:
    run = str(driver(project, "a"))
    assert cast_for(run, read_record(run))
    without_marks(project)
    with pytest.raises(RefusedError, check=coded("not-yours")):
        cast_for(run, read_record(run))


def test_a_run_that_the_user_agrees_to_is_asked_about(listener: Listener, project: Path) -> None:
    without_marks(project)
    assert main(["trust", "a", "--yes"]) == 0
    assert main(["status", "a"]) == 0
    assert listener.connections == 1
