"""Scores of the check of timeless text on the samples: one half was tuned on, no pattern was changed for the other.

One author wrote the samples of both halves, and then the patterns: expect less on other authors' text.
"""

import os
from collections.abc import Iterator
from typing import Final, NamedTuple

from skills.conventions.timeless.scan import findings

SAMPLES: Final = os.path.join(os.path.dirname(__file__), "temporal", "samples.tsv")
CLEAN: Final = "-"
HALVES: Final = ("tuning", "held-out")


class Sample(NamedTuple):
    """A comment, and the kind of its fault."""

    half: str
    kind: str
    origin: str
    text: str


class Score(NamedTuple):
    """The score of one half."""

    half: str
    contaminated: int
    clean: int
    found: int
    """Contaminated comments with a finding."""
    wrong: int
    """Clean comments with a finding."""

    @property
    def precision(self) -> float:
        """Return the share of findings that are contaminated."""
        return self.found / (self.found + self.wrong)

    @property
    def recall(self) -> float:
        """Return the share of contaminated comments that were found."""
        return self.found / self.contaminated

    def __str__(self) -> str:
        return (
            f"timeless text, {self.half} half: {self.contaminated} contaminated comments and {self.clean} clean ones, "
            f"precision {self.precision:.2f}, recall {self.recall:.2f}"
        )


def samples() -> Iterator[Sample]:
    """Yield every sample."""
    with open(SAMPLES, encoding="utf-8") as file:
        next(file)
        yield from (Sample(*line.rstrip("\n").split("\t")) for line in file)


def score(half: str) -> Score:
    """Return the score of a half."""
    mine = [sample for sample in samples() if sample.half == half]
    hit = [sample for sample in mine if findings(f"# {sample.text}\n", "py")]
    bad = [sample for sample in mine if sample.kind != CLEAN]
    found = [sample for sample in hit if sample.kind != CLEAN]
    return Score(half, len(bad), len(mine) - len(bad), len(found), len(hit) - len(found))
