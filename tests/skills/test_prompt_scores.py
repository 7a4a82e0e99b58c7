"""Scores of the prompts: every step of every skill was read by somebody else, and is at the bar, or mended since."""

from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.subjects import PROOF, ROOT

POINTS: Final = (
    "product", "handover", "criteria", "craft", "evidence", "fairness", "exits", "commands", "economy", "voice",
)  # fmt: skip
LEAST, LEAST_OF = 24, {"handover": 2, "evidence": 2, "exits": 2, "commands": 2}
MENDED: Final = "mended"
"""What stands beside the reading of a step that was changed after it, and was not read again."""
COLUMNS: Final = ["step", "reading", *POINTS, "sum"]


class Step(NamedTuple):
    workflow: str
    step: str


class Score(NamedTuple):
    points: dict[str, int]
    mended: bool
    said: bool
    """Whether the words that decided it stand below."""


def scores() -> dict[Step, list[Score]]:
    """The scores of a step, of each of its variants that were read."""
    found: dict[Step, list[Score]] = {}
    text = Path(ROOT, "docs", "prompt-scores.md").read_text(encoding="utf-8")
    for section in text.split("\n## ")[1:]:
        workflow, _, rest = section.partition("\n")
        header, _, *rows = [line for line in rest.splitlines() if line.startswith("|")]
        assert _cells(header) == COLUMNS
        for row in rows:
            label, reading, *told = _cells(row)
            points = dict(zip(POINTS, map(int, told[:-1]), strict=True))
            assert all(0 <= point <= 3 for point in points.values())
            assert sum(points.values()) == int(told[-1]), row
            score = Score(points, MENDED in reading, f"\n- **{label}**: " in rest)
            found.setdefault(Step(workflow, label.partition(",")[0]), []).append(score)
    return found


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split("|")]


SCORES: Final = scores()
STEPS: Final = [
    Step(workflow.name, step)
    for module, workflow in PROOF.targets.workflows.items()
    if module.startswith("skills.")
    for step in workflow.steps
]


@pytest.mark.parametrize("step", STEPS, ids=" ".join)
def test_a_step_was_read_by_somebody_else_and_is_at_the_bar_or_mended_since(step: Step) -> None:
    for points, mended, said in SCORES[step]:
        at_the_bar = sum(points.values()) >= LEAST and all(points[name] >= least for name, least in LEAST_OF.items())
        assert at_the_bar is not mended
        assert said


def test_a_score_is_of_a_step_that_there_is() -> None:
    assert not SCORES.keys() - set(STEPS)
