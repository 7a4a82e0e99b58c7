"""The proof from the command line: faults are named, and the exit status reports them."""

import json
import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.testing.findings import Fault
from tests.plugins.sites import HERE, only

Captured = pytest.CaptureFixture[str]


CHOOSY = """
from typing import Annotated, Literal

from lib.workflow.core import Arg, Outcome, State, StepContext, StepDef, UsageError, Workflow


def take(context: StepContext, task: Annotated[str, Arg(samples=("tidy",))]) -> tuple[Literal[Outcome.OK], State]:
    if task != "tidy":
        raise UsageError("only tidy will do")
    return Outcome.OK, {}


WORKFLOW = Workflow(
    "choosy", StepDef(id="take", title="Take", actions="x", handler=take, next={Outcome.OK: None}), module="choosy.flow"
)
if __name__ == "__main__":
    from lib.workflow.cli import main

    raise SystemExit(main("choosy.flow"))
"""


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package with faults, the only one."""
    monkeypatch.syspath_prepend(os.path.join(HERE, "faulty_project"))
    only("faulty", monkeypatch)


def test_a_sound_workflow_is_walked_to_every_end(capsys: Captured) -> None:
    assert main(["walk", "problem-analysis", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["findings"] == []
    known = {row["command"] for row in data["commands"]}
    assert known >= {*data["starts"], *(way for row in data["commands"] for way in row["next"])}
    assert {row["step"] for row in data["commands"] if not row["next"]} == {"output"}
    assert main(["walk", "problem-analysis"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith(f"{len(known)} ")


@pytest.mark.parametrize(
    ("name", "fault"), [("stuck", Fault.UNREACHED), ("crashing", Fault.BROKEN), ("flooding", Fault.LENGTH)]
)
def test_faults_on_a_walk_are_named(name: str, fault: Fault, faulty: None, capsys: Captured) -> None:
    assert main(["walk", name]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith(f"  {fault}: ") for line in lines)
    assert "finding" in lines[-1]
    assert main(["walk", name, "--json"]) == 1
    assert fault in {finding["fault"] for finding in json.loads(capsys.readouterr().out)["findings"]}


def test_walk_with_too_many_calls_is_refused_without_a_crash(faulty: None, capsys: Captured) -> None:
    assert main(["walk", "countless"]) == 2
    assert re.search(r"step \S+: [\d,]+ ", capsys.readouterr().err)


def test_a_package_is_proved_whole(capsys: Captured) -> None:
    assert main(["validate", "tests.workflows.review", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["packages"], data["findings"], data["counts"]["workflows"]) == (["tests.workflows.review"], [], 1)
    assert data["counts"]["cases"] > 0
    assert data["counts"]["commands"] > 0


def test_a_package_with_a_fault_fails_by_name(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(os.path.join(HERE, "broken_site"))
    assert main(["validate", "rusty"]) == 1
    data = capsys.readouterr()
    assert re.match(r"rusty\.torn\n  .+torn\.py:3:\s+ValueError", data.out)
    assert data.out.endswith("1 finding\n")
    assert data.err == ""


@pytest.mark.parametrize("package", ["json", "tests.app.commands"])
def test_a_package_without_a_workflow_is_not_in_order(package: str, capsys: Captured) -> None:
    assert main(["validate", package]) == 1
    assert f"{package}\n  {Fault.UNUSABLE}: " in capsys.readouterr().out


def test_a_walk_finds_no_more_than_the_whole_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = tmp_path / "choosy"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "flow.py").write_text(CHOOSY)
    only("choosy", monkeypatch)
    assert main(["walk", "choosy"]) == 0
    capsys.readouterr()
    assert main(["validate", "choosy"]) == 0


@pytest.mark.parametrize(
    ("words", "last"),
    [
        ("walk sweep", b"sweep: step 2 of 2"),
        ("graph sweep --walked", b"sweep: step 2 of 2"),
        ("stats sweep", b"sweep"),
        ("validate tidy", b"command 2 of 2"),
    ],
)
@pytest.mark.parametrize("colours", [True, False])
def test_progress_is_shown_on_a_terminal(
    words: str, last: bytes, colours: bool, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.syspath_prepend(os.path.join(HERE, "site"))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "" if colours else "1")
    assert main(words.split()) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    reader, writer = os.openpty()
    data: list[bytes] = []
    reading = threading.Thread(target=lambda: data.extend(_until_closed(reader)))
    reading.start()
    with open(writer, "w", encoding="utf-8") as terminal, monkeypatch.context() as patch:
        patch.setattr("sys.stderr", terminal)
        assert main(words.split()) == 0
    reading.join()
    assert last in b"".join(data)
    assert capsys.readouterr().out == printed.out


def _until_closed(reader: int) -> Iterator[bytes]:
    try:
        while read := os.read(reader, 4096):
            yield read
    except OSError:  # a terminal reports like this that nobody writes to it any more
        os.close(reader)
