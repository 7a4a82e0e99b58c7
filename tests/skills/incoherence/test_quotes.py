"""Quotes that a sweep records are looked up at their places."""

import json
from pathlib import Path

import pytest

from lib.workflow.ast.results import EntityResult, Operation, Refusal
from skills.incoherence import limits
from skills.incoherence.commands.table import TABLE
from skills.incoherence.files import run_store
from skills.incoherence.pages.facts import unseen
from skills.incoherence.pages.rows import BEYOND
from skills.incoherence.record import Run, Source, SourceKind, Sweep
from skills.incoherence.standing import Standing
from skills.incoherence.workflow import WORKFLOW
from tests.blocks import only
from tests.tables.found import Found, ask
from tests.wording import carries

TABLES = Found("skills.incoherence.commands.table", TABLE)
README = """\
# Uploads

Files of **up to
5 MB** are kept for a day.
A file of 6 MB is refused.

| a | b |
>>> ==
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a project with a run whose sweep is open."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "README.md").write_text(README)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "upload.py").write_text('"""Keeps uploads."""\nMAX = 4 * MIB\n')
    source = Source(id="S1", kind=SourceKind.DOCUMENT, path="README.md")
    run = Run(scope="uploads", sources=(source,), sweeps=(Sweep(dimension="limits", sources=("S1",)),))
    (tmp_path / "run").mkdir()
    run_store(str(tmp_path / "run")).create(run)
    return tmp_path


def pair(place: str, says: str) -> dict[str, str]:
    return {"fact": "How large?", "left": place, "left_says": says, "right": "src/upload.py:2", "right_says": "4 * MIB"}


def close(project: Path, *found: dict[str, str], more: tuple[dict[str, str], ...] = ()) -> EntityResult | Refusal:
    words = ["--state-dir", str(project / "run"), "sweep", "--swept-file", "-"]
    answer = ask(TABLES, words, json.dumps([{"dimension": "limits", "searched": "all", "found": found, "more": more}]))
    return only(answer.printed, EntityResult) if answer.status == 0 else only(answer.printed, Refusal)


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("README.md:3", "up to 5 MB"),
        ("README.md:3", '"Files of … are kept"'),
        ("README.md:3-4", "5 MB are kept"),
        ("README.md:4", "5 mb** are"),
        ("README.md:8", "=="),
        ("README.md", "6 MB is refused"),
        ("src", "a folder of two files"),
        ("docker compose up", "not run: no docker"),
        ("python3 -m upload --help", "--max 5"),
    ],
)
def test_a_quote_at_its_line_is_recorded_and_so_is_the_output_of_a_command(
    project: Path, place: str, says: str
) -> None:
    block = close(project, pair(place, says))
    assert isinstance(block, EntityResult)
    assert block.operation is Operation.UPDATED


@pytest.mark.parametrize(
    ("place", "says", "message"),
    [
        ("README.md:9", "a", "README.md:7"),
        ("README.md:1", "of", "README.md:3"),
        ("README.md:3", "up to 7 MB", "**up"),
        ("README.md:99", "up to 7 MB", "README.md:99"),
        ("README.md:3", "up to … is refused … up", "README.md:3:"),
        ("docs/none.md:3", "up to 5 MB", "docs/none.md"),
    ],
)
def test_a_quote_that_is_not_in_its_file_once_or_at_its_line_is_refused_with_what_is_there(
    project: Path, place: str, says: str, message: str
) -> None:
    for found, more in (((pair(place, says),), ()), ((), (pair(place, says),))):
        block = close(project, *found, more=more)
        assert isinstance(block, Refusal)
        assert block.code == "misquoted"
        assert carries(block.message, message)
    assert run_store(str(project / "run")).load().open_sweeps()


@pytest.mark.parametrize(
    ("place", "says", "right"),
    [
        ("README.md:9", "up to 5 MB", "README.md:3"),
        ("README.md:3", "6 MB is refused", "README.md:5"),
        ("README.md:7-9", "Files of … are kept", "README.md:3"),
        ("README.md:1 (its title)", "| a | b |", "README.md:7"),
    ],
)
def test_a_wrong_line_is_corrected_if_the_file_has_the_quote_once(
    project: Path, place: str, says: str, right: str
) -> None:
    assert isinstance(close(project, pair(place, says), more=(pair(place, says),)), EntityResult)
    assert {each.found.left for each in run_store(str(project / "run")).load().candidates} == {right}
    block = close(project, pair(place, says), more=(pair(place, says),))
    assert isinstance(block, EntityResult)
    assert block.operation is Operation.UNCHANGED


def test_a_line_that_makes_the_place_too_long_is_not_corrected(project: Path) -> None:
    name = "x" * (limits.MAX_PLACE - len(":9"))
    (project / name).write_text("\n" * 1000 + "up to 5 MB\n")
    block = close(project, pair(f"{name}:9", "up to 5 MB"))
    assert isinstance(block, Refusal)
    assert carries(block.message, f"{name}:1001")


def test_corrected_words_get_the_line_at_which_they_are(project: Path) -> None:
    close(project, pair("README.md:4", "5 MB"))
    words = ["--state-dir", str(project / "run"), "correct", "C-001", "--change-file", "-"]
    assert ask(TABLES, words, json.dumps({"old": "5 MB", "new": "6 MB"})).status == 0
    (candidate,) = run_store(str(project / "run")).load().candidates
    assert (candidate.found.left, candidate.found.left_says) == ("README.md:5", "6 MB")


def test_a_link_out_of_the_project_is_not_read(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("outside") / "secret.md"
    secret.write_text("the word\n")
    (project / "link.md").symlink_to(secret)
    block = close(project, pair("link.md:1", "another"))
    assert isinstance(block, Refusal)
    assert "link.md" in block.message
    assert "the word" not in block.message


def test_without_the_project_there_is_nothing_to_compare_with(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project / "src")
    assert isinstance(close(project, pair("README.md:9", "up to 7 MB")), EntityResult)


def test_surplus_findings_of_a_sweep_are_kept_for_the_report(project: Path) -> None:
    more = tuple(pair("README.md:5", "6 MB") for _ in range(limits.MAX_MORE))
    assert isinstance(close(project, pair("README.md:4", "5 MB"), more=more), EntityResult)
    first, *others = run_store(str(project / "run")).load().candidates
    assert first.standing is Standing.FOUND
    assert {(each.standing, each.why) for each in others} == {(Standing.DROPPED, BEYOND)}
    context = WORKFLOW.context("close", {"state_dir": str(project / "run")})
    listed = dict(unseen(context))
    assert all("README.md:5 | src/upload.py:2" in listed[each.id] for each in others)


def test_a_pair_that_was_not_run_is_never_among_the_surplus(project: Path) -> None:
    seen, unseen = pair("README.md:4", "5 MB"), pair("docker compose up", "not run: no docker")
    words = ["--state-dir", str(project / "run"), "sweep", "--swept-file", "-"]
    given = {"dimension": "limits", "searched": "all", "found": [seen], "more": [unseen]}
    assert ask(TABLES, words, json.dumps(given)).status == 2
    assert isinstance(close(project, unseen, more=(seen,)), EntityResult)


@pytest.mark.parametrize(
    ("dives", "why", "accepted"),
    [
        ((True, True), "nobody has seen it", True),
        ((True, False), "users do not meet it", False),
        ((True, False), "same fact as C-001", True),
        ((False, False), "same fact as C-001", False),
    ],
)
def test_a_pair_that_was_not_run_is_looked_into_or_another_with_its_fact(
    project: Path, dives: tuple[bool, bool], why: str, accepted: bool
) -> None:
    close(project, pair("README.md:4", "5 MB"), pair("docker compose up", "not run: no docker"))
    choices = [{"candidate": f"C-00{n}", "dive": dive, "why": why} for n, dive in enumerate(dives, 1)]
    answer = ask(TABLES, ["--state-dir", str(project / "run"), "select", "--choices-file", "-"], json.dumps(choices))
    assert (answer.status == 0) is accepted


def test_the_same_sweep_once_more_changes_nothing_although_the_file_has_changed(project: Path) -> None:
    close(project, pair("README.md:4", "5 MB"), more=(pair("README.md:5", "6 MB"),))
    (project / "README.md").write_text("")
    block = close(project, pair("README.md:4", "5 MB"), more=(pair("README.md:5", "6 MB"),))
    assert isinstance(block, EntityResult)
    assert block.operation is Operation.UNCHANGED
