"""The graph of the prompt engineer, and its reference of techniques."""

import re
import sys
from pathlib import Path

import pytest

from lib.workflow.ast.nodes import Text
from lib.workflow.ast.visitor import walk
from lib.workflow.cli.tool import run
from lib.workflow.core import AgentChoice
from lib.workflow.errors import UsageError, WorkflowError
from skills.prompt_engineer.reference import Kind, Technique, read_techniques
from skills.prompt_engineer.techniques import accepts, printed
from skills.prompt_engineer.workflow import SCOPES, WORKFLOW, Scope
from tests.wording import elided

TECHNIQUES = read_techniques()
AT_LEAST = 25
"""Minimum number of techniques."""


def test_it_has_eight_steps() -> None:
    assert list(WORKFLOW.steps) == [
        "triage",
        "assess",
        "understand",
        "plan",
        "verify",
        "execute",
        "refine",
        "integrate",
    ]


def test_triage_routes_each_scope_and_skips_assessment_without_a_prompt() -> None:
    result = WORKFLOW.outcomes("triage", WORKFLOW.context("triage"))
    assert isinstance(result, AgentChoice)
    assert result.ways == {outcome: {"scope": scope} for outcome, scope in SCOPES.items()}
    leads = {scope: WORKFLOW.steps["triage"].target(outcome) for outcome, scope in SCOPES.items()}
    assert leads == {scope: "understand" if scope is Scope.GREENFIELD else "assess" for scope in Scope}


@pytest.mark.parametrize("scope", Scope)
def test_given_scope_needs_no_triage(scope: Scope) -> None:
    result = WORKFLOW.outcomes("triage", WORKFLOW.context("triage", {"scope": scope}))
    assert isinstance(result, tuple)
    assert result[1] == {"scope": scope}


@pytest.mark.parametrize("scope", [None, *Scope])
def test_only_an_ecosystem_is_integrated(scope: Scope | None) -> None:
    result = WORKFLOW.outcomes("refine", WORKFLOW.context("refine", {"scope": scope}))
    assert isinstance(result, tuple)
    assert WORKFLOW.steps["refine"].target(result[0]) == ("integrate" if scope is Scope.ECOSYSTEM else None)


def test_reference_has_enough_techniques_of_every_kind_in_order() -> None:
    assert len(TECHNIQUES) >= AT_LEAST
    assert {technique.kind for technique in TECHNIQUES} == set(Kind)
    assert [technique.kind for technique in TECHNIQUES] == sorted(
        (technique.kind for technique in TECHNIQUES), key=list(Kind).index
    )


@pytest.mark.parametrize("technique", TECHNIQUES, ids=lambda technique: technique.id)
def test_every_part_of_an_entry_is_filled(technique: Technique) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", technique.id)
    assert all(len(part.split()) >= 3 for part in (technique.title, technique.helps, technique.hurts))
    for paper in technique.papers:
        submitted = re.fullmatch(r"arXiv:(\d\d)(\d\d)\.\d{4,5}", paper.identifier)
        assert submitted, "a DOI tells no year: look it up, and say so here"
        assert paper.year == 2000 + int(submitted[1])
        assert 1 <= int(submitted[2]) <= 12


def test_no_paper_is_cited_in_two_ways() -> None:
    papers = {paper for technique in TECHNIQUES for paper in technique.papers}
    assert len({paper.identifier for paper in papers}) == len({paper.title for paper in papers}) == len(papers)


def test_the_plan_step_shows_every_kind_and_a_kind_each_of_its_techniques() -> None:
    document = WORKFLOW.run("plan", WORKFLOW.context("plan"))
    shown = "\n".join(node.value for node in walk(document) if isinstance(node, Text))
    for kind in Kind:
        own = [f"  {each.id}: {each.title}" for each in TECHNIQUES if each.kind is kind]
        assert f"{kind} ({len(own)}): " in shown
        assert printed([kind]) == "\n".join([kind, *own])


def test_entries_are_printed_unchanged() -> None:
    one, other, *_ = TECHNIQUES
    text = printed([other.id, one.id])
    assert text.index(other.text) < text.index(one.text)
    assert all(technique.id in printed([]) for technique in TECHNIQUES)


@pytest.mark.parametrize("word", ["no-such", "--all", ""])
def test_an_unknown_technique_is_answered_with_those_there_are(
    word: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="few-shot"):
        accepts([TECHNIQUES[0].id, word])
    monkeypatch.setattr(sys, "argv", ["techniques", word])
    assert run("techniques", printed, None) == 2
    assert capfd.readouterr().out == ""


ENTRY = "## a: A title\n- kind: {}\n- does: x\n- helps: y\n- hurts: z\n- paper: {}\n"
GOOD = "A (very good) title (Doe J., 2020), arXiv:2001.00001"


@pytest.mark.parametrize(
    ("kind", "paper", "says"),
    [
        ("nice", GOOD, "a: kind 'nice'; … examples"),
        ("steps", "A title (Doe, 2020)", "a: 'A title (Doe, 2020)': write `Title (Author, year), arXiv:…`"),
        ("steps", "A title, arXiv:2001.00001", "a: 'A title"),
        ("steps", "A title (Doe, 2020), arXiv:200.1", "a: 'A title"),
        ("steps", "A title (Doe, 2020), arXiv:2001.00001 and more", "a: 'A title"),
    ],
)
def test_an_entry_of_another_form_is_refused(kind: str, paper: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "techniques.md"
    path.write_text(ENTRY.format(kind, paper))
    with pytest.raises(WorkflowError, match=elided(says)):
        read_techniques(str(path))


@pytest.mark.parametrize("identifier", ["arXiv:2001.00001", "doi:10.1145/3442188.3445922"])
def test_an_entry_of_the_form_is_read(identifier: str, tmp_path: Path) -> None:
    path = tmp_path / "techniques.md"
    path.write_text(ENTRY.format("steps", f"A (very good) title (Doe J., 2020), {identifier}"))
    (technique,) = read_techniques(str(path))
    (paper,) = technique.papers
    assert (paper.title, paper.author, paper.year, paper.identifier) == (
        "A (very good) title",
        "Doe J.",
        2020,
        identifier,
    )
