"""Packages with workflows are found if installed; a broken one is named and hides no other."""

import os
from collections.abc import Iterator

import pytest

from lib.workflow.app.skills.overview import skills
from lib.workflow.app.skills.packages import packages
from lib.workflow.app.skills.shelves import find, package_of, shelves
from lib.workflow.discovery import DiscoveryError
from tests.plugins.sites import HERE, installed
from tests.wording import carries

TORN = os.path.join(HERE, "broken_site", "rusty", "torn.py")


@pytest.fixture
def tidy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from installed("site", monkeypatch)


@pytest.fixture
def rusty(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from installed("broken_site", monkeypatch)


def test_our_own_package_comes_first_and_others_join_it(tidy: None) -> None:
    assert packages() == ("skills", "tidy")
    assert [item.workflow.name for item in list(shelves())[1].found] == ["sweep"]
    assert package_of(find("sweep")) == "tidy"
    assert package_of(find("problem-analysis")) == "skills"


def test_unusable_workflow_is_named_and_does_not_hide_others(rusty: None) -> None:
    assert find("problem-analysis").home == "skills.problem_analysis.workflow"
    reasons = {fault.home: fault.reason for shelf in shelves() for fault in shelf.unusable}
    assert reasons.keys() == {"no_such_package", "rusty.taken", "rusty.torn"}
    assert carries(reasons["no_such_package"], "'no_such_package'")
    assert carries(reasons["rusty.taken"], "'problem-analysis' … skills.problem_analysis.workflow")
    assert carries(reasons["rusty.torn"], f"{TORN}:3: ValueError: … 'torn'")
    with pytest.raises(DiscoveryError) as error:
        find("worn")
    lines = sorted(str(error.value).split("\n")[-3:])
    assert all(
        carries(line, f"{home} … {why}") for line, (home, why) in zip(lines, sorted(reasons.items()), strict=True)
    )


def test_finding_an_unusable_workflow_reports_only_its_own_fault(rusty: None) -> None:
    with pytest.raises(DiscoveryError) as error:
        find("torn")
    assert carries(str(error.value), f"torn … {TORN}:3: ")
    assert "\n" not in str(error.value)


def test_unknown_name_lists_the_workflows_that_users_start() -> None:
    with pytest.raises(DiscoveryError) as error:
        find("zzz")
    first, more = str(error.value).split("\n")
    assert first.partition("Workflows: ")[2].split(", ") == [skill.found.workflow.name for skill in skills()]
    assert "stepscript list --all" in more


@pytest.mark.parametrize(
    ("name", "says"),
    [("swep", "sweep?"), ("zzz", "Workflows: "), ("x" * 999, "Workflows: ")],
)
def test_unknown_name_is_answered_with_the_known_ones(name: str, says: str, tidy: None) -> None:
    with pytest.raises(DiscoveryError) as error:
        find(name)
    assert carries(str(error.value), says)
    assert len(str(error.value).split(". ")[0]) < 100
