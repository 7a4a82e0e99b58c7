"""Scores of the prompts: every step of every skill was read by somebody else, and is at the bar, or mended since."""

import csv
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.subjects import PROOF, ROOT

POINTS: Final = (
    "product", "handover", "criteria", "craft", "evidence", "fairness", "exits", "commands", "economy", "voice",
)  # fmt: skip
LEAST, LEAST_OF = 24, {"handover": 2, "evidence": 2, "exits": 2, "commands": 2}


MENDED: Final = "mended"
"""What the column `since` says of a step that was changed after it was read, and was not read again."""


class Step(NamedTuple):
    workflow: str
    step: str


class Score(NamedTuple):
    points: dict[str, int]
    mended: bool


def scores() -> dict[Step, list[Score]]:
    """The scores of a step, of each of its variants that were read."""
    found: dict[Step, list[Score]] = {}
    with Path(ROOT, "docs", "prompt-scores.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, dialect="excel-tab"):
            points = {name: int(row[name]) for name in POINTS}
            assert all(0 <= point <= 3 for point in points.values())
            assert row["since"] in ("", MENDED)
            score = Score(points, row["since"] == MENDED)
            found.setdefault(Step(row["workflow"], row["step"]), []).append(score)
    return found


SCORES: Final = scores()
STEPS: Final = [
    Step(workflow.name, step)
    for module, workflow in PROOF.targets.workflows.items()
    if module.startswith("skills.")
    for step in workflow.steps
]


@pytest.mark.parametrize("step", STEPS, ids=" ".join)
def test_a_step_was_read_by_somebody_else_and_is_at_the_bar_or_mended_since(step: Step) -> None:
    for points, mended in SCORES[step]:
        at_the_bar = sum(points.values()) >= LEAST and all(points[name] >= least for name, least in LEAST_OF.items())
        assert at_the_bar is not mended


def test_a_score_is_of_a_step_that_there_is() -> None:
    assert not SCORES.keys() - set(STEPS)
