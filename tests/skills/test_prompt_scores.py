"""Scores of the prompts: every step of every skill has been read by somebody else, and is at the bar or above."""

import csv
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.subjects import PROOF, ROOT

POINTS: Final = (
    "product", "handover", "criteria", "craft", "evidence", "fairness", "exits", "commands", "economy", "voice",
)  # fmt: skip
LEAST, LEAST_OF = 24, {"handover": 2, "evidence": 2, "exits": 2, "commands": 2}


class Step(NamedTuple):
    workflow: str
    step: str


def scores() -> dict[Step, list[dict[str, int]]]:
    """The points of a step, of each of its variants that were read."""
    found: dict[Step, list[dict[str, int]]] = {}
    with Path(ROOT, "docs", "prompt-scores.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, dialect="excel-tab"):
            points = {name: int(row[name]) for name in POINTS}
            assert all(0 <= point <= 3 for point in points.values())
            found.setdefault(Step(row["workflow"], row["step"]), []).append(points)
    return found


SCORES: Final = scores()
STEPS: Final = [
    Step(workflow.name, step)
    for module, workflow in PROOF.targets.workflows.items()
    if module.startswith("skills.")
    for step in workflow.steps
]


@pytest.mark.parametrize("step", STEPS, ids=" ".join)
def test_a_step_was_read_by_somebody_else_and_is_at_the_bar(step: Step) -> None:
    for points in SCORES[step]:
        assert sum(points.values()) >= LEAST
        assert all(points[name] >= least for name, least in LEAST_OF.items())


def test_a_score_is_of_a_step_that_there_is() -> None:
    assert not SCORES.keys() - set(STEPS)
