"""Runs seen and answered from a machine that has neither their folders nor a worker, and a worker's metrics."""

import asyncio
import json
import re
import signal
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from temporalio.client import Client

from lib.workflow.app.main import main
from lib.workflow.run.temporal import host_record
from lib.workflow.run.temporal.connection import connected
from lib.workflow.run.temporal.payloads import stores
from lib.workflow.run.temporal.place import id_of
from lib.workflow.run.temporal.wire import NAME
from tests.run.temporal.servers import Server, Worker, free_port
from tests.run.temporal.test_commands import BROKE, WILLING, Captured, begun, comes, shown
from tests.subjects import ROOT

METRIC = re.compile(r"`(temporal_\w+)`")


def _no_file(*given: object, **more: object) -> None:
    raise OSError("this machine has no folder of the run")


@pytest.fixture
def waiting(
    server: Server, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str, Worker]]:
    """Return the name of a run that waits for its user, and the worker of its host."""
    (tmp_path / ".stepscript").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TEMPORAL_ADDRESS", server.address)
    queue = f"far-{tmp_path.name.strip('-_.')}"
    worker = Worker(server, queue, tmp_path)
    try:
        assert shown(capsys, *begun(queue, BROKE, "--attempts", "1"))[0] == 3
        (run,) = (tmp_path / ".stepscript" / "runs").iterdir()
        yield run.name, worker
    finally:
        if worker.process.poll() is None:
            worker.end()


@pytest.fixture
def elsewhere(waiting: tuple[str, Worker], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make this process one of a machine that cannot read the run's folder."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    for module in (stores, host_record):
        monkeypatch.setattr(module, "read_whole", _no_file)
        monkeypatch.setattr(module, "replace_whole", _no_file)


def far(capsys: Captured, *words: str) -> dict[str, object]:
    """Return the JSON that a command prints about a run of any host."""
    status, out = shown(capsys, *words, "--all-hosts", "--json")
    assert status == 0
    found: dict[str, object] = json.loads(out)
    return found


@pytest.mark.usefixtures("elsewhere")
def test_run_is_listed_shown_and_answered_from_another_machine(waiting: tuple[str, Worker], capsys: Captured) -> None:
    name, _ = waiting
    runs = far(capsys, "runs")["runs"]
    assert isinstance(runs, list)
    (listed,) = (each for each in runs if each["name"] == name)
    assert (listed["state"], listed["waiting"], listed["agents"]) == ("waiting", 1, 1)
    assert listed["task"] == "It hangs at noon"
    assert listed["phase"].startswith("problem-analysis 1/5")
    assert name in shown(capsys, "runs", "--all-hosts")[1]
    assert far(capsys, "status", name)["state"] == "waiting"
    text = shown(capsys, "status", name[:-1], "--all-hosts")[1]
    assert "no credit" in text
    assert re.search(rf"answer --address \S+ --namespace default {name} 1", text)
    assert "no credit" in shown(capsys, "logs", name, "--all-hosts")[1]
    assert shown(capsys, "answer", name, "9", "--all-hosts")[0] == 2
    assert shown(capsys, "answer", name, "2", "--all-hosts")[0] == 0
    assert comes(lambda: far(capsys, "status", name)["state"] == "stopped")
    assert shown(capsys, "answer", name, "2", "--all-hosts")[0] == 2


@pytest.mark.long
@pytest.mark.usefixtures("elsewhere")
def test_list_needs_no_worker_and_status_says_that_none_serves(waiting: tuple[str, Worker], capsys: Captured) -> None:
    name, worker = waiting
    assert worker.end(signal.SIGTERM) == 0
    runs = far(capsys, "runs")["runs"]
    assert isinstance(runs, list)
    assert [each["waiting"] for each in runs if each["name"] == name] == [1]
    assert "stepscript worker" in str(far(capsys, "status", name)["problem"])
    assert shown(capsys, "logs", name, "--all-hosts")[0] == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("status", "nowhere"), "'nowhere'"),
        (("answer", "nowhere", "1"), "'nowhere'"),
        (("status",), "`stepscript runs --all-hosts`"),
        (("status", "x", "--watch"), "--watch"),
        (("logs", "x", "--follow"), "--follow"),
    ],
)
def test_wrong_handles_and_options_are_usage_errors(
    words: tuple[str, ...], says: str, server: Server, capsys: Captured
) -> None:
    assert main((*words, "--address", server.address)) == 2
    assert says in capsys.readouterr().err


def test_foreign_workflows_of_the_same_name_do_not_disturb_the_list(
    server: Server, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEMPORAL_ADDRESS", server.address)
    names = [id_of("foreign", f"/{place}/same/driver") for place in ("one", "two")]

    async def begin() -> Client:
        client = await connected(server.address, "default")
        for name in ("odd", *names):
            await client.start_workflow(NAME, id=name, task_queue="foreign", memo={"task": 7, "phase": ["x"]})
        async with asyncio.timeout(10):  # a server lists a workflow some time after its start
            while (await client.count_workflows("TaskQueue = 'foreign'")).count < 3:
                await asyncio.sleep(0.02)
        return client

    asyncio.run(begin())
    runs = far(capsys, "runs")["runs"]
    assert isinstance(runs, list)
    found = [each for each in runs if each["host"] == "foreign"]
    assert sorted(each["id"] for each in found) == sorted(names)
    assert {(each["name"], each["task"], each["state"]) for each in found} == {("same", "", "at work")}
    assert main(("status", "same", "--all-hosts")) == 2  # which of the two is not said
    assert all(name in capsys.readouterr().err for name in names[:1])
    assert far(capsys, "status", names[0])["id"] == names[0]


def test_worker_serves_the_documented_metrics(
    server: Server, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".stepscript").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TEMPORAL_ADDRESS", server.address)
    place = f"127.0.0.1:{free_port()}"
    worker = Worker(server, "metrics", tmp_path, "--metrics", place)
    try:
        assert shown(capsys, *begun("metrics", WILLING))[0] == 0
        with urllib.request.urlopen(f"http://{place}/metrics") as reply:
            served = reply.read().decode()
        assert main(("worker", "--metrics", place)) == 1  # the first worker has the port
        assert f"'{place}'" in capsys.readouterr().err
    finally:
        worker.end()
    text = Path(ROOT, "docs", "temporal.md").read_text()
    table = [line for line in text.splitlines() if line.startswith("| `temporal_")]
    documented = {name for line in table for name in METRIC.findall(line.split("|")[1])}
    assert len(documented) > 8
    assert not {name for name in documented if f"# TYPE {name} " not in served}


@pytest.mark.parametrize("place", ["9464", "here:", "a b:1", "x:y"])
def test_wrong_place_for_metrics_is_a_usage_error(place: str, capsys: Captured) -> None:
    assert main(("worker", "--metrics", place)) == 2
    assert "HOST:PORT" in capsys.readouterr().err
