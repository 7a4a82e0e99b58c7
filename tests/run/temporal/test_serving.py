"""A worker reports its graphs from its start, and those that have changed since."""

import getpass
import logging
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from lib.workflow.app.runs.engines import host_queue
from lib.workflow.app.runs.hosts import serving
from lib.workflow.app.runs.hosts.serving import Loaded, brief, cast_for, digests
from lib.workflow.errors import RefusedError
from lib.workflow.run.journal.mark import mark
from lib.workflow.run.journal.spec import Spec
from lib.workflow.run.pool import Cast
from lib.workflow.run.temporal.host_record import Record, write_record
from lib.workflow.run.temporal.place import checked_queue, id_of
from tests.wording import coded


def test_a_process_that_reads_the_files_finds_the_graphs_that_this_one_has() -> None:
    assert serving._read_anew() == digests()


@pytest.mark.parametrize(
    ("now", "gone"),
    [
        ({}, set()),
        ({"skills.refactor.explore": "0" * 64}, {"skills.refactor.explore"}),
        ({"skills.refactor.explore": ""}, {"skills.refactor.explore"}),
    ],
)
def test_a_script_that_has_changed_under_it_is_not_served(
    now: Mapping[str, str], gone: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digests()
    assert set(now) <= before.keys()
    monkeypatch.setattr(serving, "FRESH", 0.0)
    loaded = Loaded()
    assert loaded() == before
    monkeypatch.setattr(serving, "signature", lambda packages, everything: "another")
    monkeypatch.setattr(serving, "_read_anew", lambda: {**before, **now})
    assert before.keys() - loaded().keys() == gone


def test_nothing_is_served_if_the_files_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    monkeypatch.setattr(serving, "FRESH", 0.0)
    loaded = Loaded()
    monkeypatch.setattr(serving, "signature", lambda packages, everything: "another")
    assert not loaded()


def test_many_activities_look_at_the_files_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[bool] = []

    def signature(packages: tuple[str, ...], everything: bool) -> str:
        looked.append(everything)
        return "the same"

    monkeypatch.setattr(serving, "signature", signature)
    monkeypatch.setattr(serving, "FRESH", 3600.0)
    loaded = Loaded()
    for _ in range(100):
        loaded()
    assert len(looked) == 1


@pytest.mark.parametrize("owned", [True, False])
@pytest.mark.parametrize("marked", [True, False])
def test_a_worker_serves_only_folders_that_its_user_owns_and_has_marked(
    marked: bool, owned: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = str(tmp_path / "driver")
    spec = Spec(workflow="problem-analysis", start="python -m skills.problem_analysis.analyze --step 1", agent="cat")
    record = Record(id=id_of("q", run), queue="q", root=str(tmp_path), spec=spec, address="x:1", namespace="y")
    write_record(run, record)
    if marked:
        mark(run, spec, (record.address, record.namespace))
    if not owned:
        monkeypatch.setattr(os, "getuid", lambda: os.stat(run).st_uid + 1)
    if not (marked and owned):
        with pytest.raises(RefusedError, check=coded("not-yours")):
            cast_for(run, record)
    else:
        assert isinstance(cast_for(run, record), Cast)


def test_default_queue_is_of_one_user(monkeypatch: pytest.MonkeyPatch) -> None:
    queues = set()
    for user in ("ada", "grace o'hopper", "-" * 200):
        monkeypatch.setattr(getpass, "getuser", lambda user=user: user)
        queues.add(checked_queue(host_queue()))
    assert len(queues) == 3


@pytest.mark.parametrize("message", ["it broke", "it\nbroke \x1b[31m", "x" * 10_000])
def test_errors_of_the_library_are_printed_in_one_line(message: str, capsys: pytest.CaptureFixture[str]) -> None:
    brief("a.library")
    try:
        raise ValueError(message)
    except ValueError:
        logging.getLogger("a.library.part").exception("Failed handling activation")
    shown = capsys.readouterr()
    (line,) = shown.out.splitlines()
    assert message[:2] in line
    assert "Traceback" not in shown.out + shown.err
    assert "\x1b[31m" not in line
    assert len(line) < 500
