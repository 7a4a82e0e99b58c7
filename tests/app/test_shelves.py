"""Packages with workflows are found where they are installed; what is broken is named and hides no other."""

from collections.abc import Iterator

import pytest

from lib.workflow.app.packages import packages
from lib.workflow.app.shelves import find, package_of, shelves
from lib.workflow.discovery import DiscoveryError
from tests.plugins.sites import installed


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


def test_what_cannot_be_used_is_named_and_hides_no_other(rusty: None) -> None:
    assert find("problem-analysis").home == "skills.problem_analysis.workflow"
    told = {fault.home: fault.reason for shelf in shelves() for fault in shelf.unusable}
    assert told == {
        "no_such_package": "there is no package 'no_such_package'",
        "rusty.taken": "a second workflow 'problem-analysis'; the first is in skills.problem_analysis.workflow",
        "rusty.torn": "ValueError: invalid literal for int() with base 10: 'torn'",
    }
    with pytest.raises(DiscoveryError) as error:
        find("torn")
    assert set(str(error.value).split("\n")[1:]) == {f"{home} cannot be used: {why}" for home, why in told.items()}


@pytest.mark.parametrize(
    ("name", "says"),
    [("swep", "Did you mean sweep?"), ("zzz", "There is: "), ("x" * 999, "There is: ")],
)
def test_a_name_that_is_none_is_answered_with_those_that_are(name: str, says: str, tidy: None) -> None:
    with pytest.raises(DiscoveryError) as error:
        find(name)
    assert says in str(error.value)
    assert len(str(error.value).split(". ")[0]) < 100
