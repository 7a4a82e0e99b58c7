"""Law 8 for plans: many processes change one plan at once, and every reported change persists."""

from collections.abc import Sequence

import pytest

from skills.planner.schema.plan.document import Plan
from skills.planner.state.files import plan_store
from tests.crowds import Crowd, Report, all_report, reported, some_are_killed, unknown
from tests.databases.places import Place
from tests.skills.planner.console import PLAN_HOME
from tests.skills.planner.plans import DECISION, PLAN


def begin(folder: str) -> None:
    plan_store(folder).create(PLAN)


def decisions(folder: str) -> dict[str, str]:
    return {each.id: each.decision for each in plan_store(folder).load().planning_context.decisions}


def decide(address: str, number: int) -> Sequence[str]:
    words = ("set-decision", "--decision", f"Choice {number}", "--reasoning", "a -> b")
    return ("-m", "skills.planner.cli.plan", "--state-dir", address, *words)


def every_decision_stands(folder: str, reports: Sequence[Report]) -> None:
    found = decisions(folder)
    assert found.pop(DECISION.id) == DECISION.decision
    for report in reports:
        if report.result is not None:
            assert found[report.result.id] == f"Choice {report.number}"
    assert len(set(found.values())) == len(found)
    assert len(reported(reports)) <= len(found) <= len(reported(reports)) + unknown(reports)


def reconsider(address: str, number: int) -> Sequence[str]:
    words = ("set-decision", "--id", DECISION.id, "--version", "VERSION", "--decision", f"Choice {number}")
    return ("-m", "tests.tables.retrying", PLAN_HOME, "--state-dir", address, *words)


def every_version_was_one_update(folder: str, reports: Sequence[Report]) -> None:
    plan: Plan = plan_store(folder).load()
    (decision,) = plan.planning_context.decisions
    by_version = {report.result.version: report.number for report in reports if report.result is not None}
    assert len(by_version) == len(reported(reports))
    assert len(by_version) <= decision.version - 1 <= len(by_version) + unknown(reports)
    if decision.version in by_version:
        assert decision.decision == f"Choice {by_version[decision.version]}"


CROWDS = (
    Crowd(name="20 add 20 decisions", size=20, prepare=begin, words=decide, check=every_decision_stands),
    Crowd(name="30 update one", size=30, prepare=begin, words=reconsider, check=every_version_was_one_update),
)
THOROUGH = [pytest.param(number, marks=pytest.mark.thorough) for number in range(1, 10)]


@pytest.mark.parametrize("number", [0, *THOROUGH])
@pytest.mark.parametrize("crowd", CROWDS, ids=lambda crowd: crowd.name)
def test_every_change_of_a_plan_is_there(crowd: Crowd, number: int, place: Place) -> None:
    all_report(crowd, place)


@pytest.mark.parametrize("number", THOROUGH)
@pytest.mark.parametrize("crowd", CROWDS, ids=lambda crowd: crowd.name)
def test_killing_writers_loses_no_reported_change_of_a_plan(crowd: Crowd, number: int, place: Place) -> None:
    some_are_killed(crowd, place, number)
