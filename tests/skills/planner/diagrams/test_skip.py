"""Reasons why a plan needs no diagram."""

import pytest

from skills.planner.diagrams.skip import reasons_to_skip
from skills.planner.schema.plan.document import Overview, Plan
from skills.planner.schema.plan.milestone import Milestone

STRUCTURE = "The API passes orders through a queue"


def plan(approach: str, *files: str, documents: bool = False) -> Plan:
    made = Milestone(id="M-001", name="One", files=files, is_documentation_only=documents)
    return Plan(overview=Overview(problem="Orders get lost", approach=approach), milestones=(made,))


ROWS = [
    (plan(STRUCTURE, "a.py", "b.py"), 0, "it needs one"),
    (plan(STRUCTURE, "a.py", "A.py"), 1, "one file, however it is spelled"),
    (plan(STRUCTURE, "a.md", "b.md", documents=True), 1, "documentation"),
    (plan(f"Refactor. {STRUCTURE}", "a.py", "b.py"), 1, "a refactoring"),
    (plan("Write faster", "a.py", "b.py"), 1, "no word of structure"),
    (plan("Overflow capital", "a.py", "b.py"), 1, "a word of structure only within others"),
    (plan("Refactor", "a.py", documents=True), 4, "all of them"),
]


@pytest.mark.parametrize(("given", "count"), [row[:2] for row in ROWS], ids=[row[2] for row in ROWS])
def test_each_criterion_gives_its_own_reason_to_skip(given: Plan, count: int) -> None:
    assert len(reasons_to_skip(given)) == count
