"""The registry of categories of findings."""

from pathlib import Path

import pytest

from lib.workflow.errors import WorkflowError
from lib.workflow.types import Severity
from skills.conventions.severities import severities

GOOD = "# S\n\n## MUST\n\n| A | x |\n\n## SHOULD\n\n| B_C | x |\n\n## COULD\n\n| D | x |\n"


def test_every_severity_has_categories() -> None:
    assert set(severities().values()) == set(Severity)


@pytest.mark.parametrize(
    ("category", "severity"),
    [
        ("RELIABILITY", Severity.MUST),
        ("DELIVERABLE_MISSING", Severity.MUST),
        ("TEMPORAL_CONTAMINATION", Severity.MUST),
        ("TESTING_STRATEGY", Severity.SHOULD),
        ("WHY_NOT_WHAT", Severity.SHOULD),
        ("TOOLCHAIN", Severity.COULD),
    ],
)
def test_f08_a_category_that_was_lost_elsewhere_is_here(category: str, severity: Severity) -> None:
    assert severities()[category] is severity


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("## COULD", "## MAY", ": has other sections than MUST, SHOULD, COULD"),
        ("| B_C | x |", "B_C: x", ":7: SHOULD has no row"),
        ("| D | x |", "| A | x |", ":11: A is MUST already"),
    ],
)
def test_tables_that_do_not_say_one_for_each_are_refused(tmp_path: Path, old: str, new: str, says: str) -> None:
    path = tmp_path / "severity.md"
    path.write_text(GOOD)
    assert severities(str(path)) == {"A": Severity.MUST, "B_C": Severity.SHOULD, "D": Severity.COULD}
    path.write_text(GOOD.replace(old, new))
    with pytest.raises(WorkflowError) as caught:
        severities(str(path))
    assert f"{path}{says}" in str(caught.value)
