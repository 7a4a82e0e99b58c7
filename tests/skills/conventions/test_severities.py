"""The categories of findings, as agents read them in the convention `severity`."""

import re

import pytest

from lib.workflow.types import Severity
from skills.conventions.texts import get_convention

SECTIONS = re.split(r"^## ", get_convention("severity"), flags=re.MULTILINE)[1:]
CATEGORIES = {text.partition("\n")[0]: re.findall(r"^\| ([A-Z_]+) \| \S", text, re.MULTILINE) for text in SECTIONS}


def test_every_severity_has_categories_and_each_category_one_severity() -> None:
    assert list(CATEGORIES) == list(Severity)
    assert all(CATEGORIES.values())
    every = [name for names in CATEGORIES.values() for name in names]
    assert len(every) == len(set(every))


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
def test_category_belongs_to_its_severity(category: str, severity: Severity) -> None:
    assert category in CATEGORIES[severity]
