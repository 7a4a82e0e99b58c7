"""Ids have one form, and the next is the highest plus one."""

import pytest

from skills.planner.schema.ids import EntityKind, form_of, kind_of, next_id

NO_IDS = (
    *("", "M", "M-", "M-1", "M-01", "M-000", "M-0001", "m-001", "M-²²²", "M-１２３", "M-001\n", "X-001", "M-001-001"),
    *("CI-001", "CI-M-001", "CI-W-001-001", "CI-M-001-1", "CI-CI-M-001-001-001", "DL-M-001-001", f"M-{'9' * 10}"),
)


@pytest.mark.parametrize("kind", EntityKind)
def test_form_of_an_id_gives_its_kind(kind: EntityKind) -> None:
    assert kind_of(form_of(kind)) is kind


@pytest.mark.parametrize("text", NO_IDS)
def test_text_of_another_form_has_no_kind(text: str) -> None:
    assert kind_of(text) is None


@pytest.mark.parametrize(
    ("kind", "taken", "milestone", "expected"),
    [
        (EntityKind.MILESTONE, (), "", "M-001"),
        (EntityKind.MILESTONE, ("M-001", "M-003"), "", "M-004"),  # no collision after a gap
        (EntityKind.MILESTONE, ("M-003", "M-001"), "", "M-004"),
        (EntityKind.MILESTONE, ("M-999",), "", "M-1000"),
        (EntityKind.WAVE, ("W-²", "W-001"), "", "W-002"),
        (EntityKind.RISK, ("RA-007",), "", "R-001"),
        (EntityKind.INTENT, ("CI-M-001-001", "CI-M-002-007"), "M-001", "CI-M-001-002"),
        (EntityKind.INTENT, ("CI-M-0011-001",), "M-001", "CI-M-001-001"),
    ],
)
def test_the_next_id_follows_the_highest_of_its_series(
    kind: EntityKind, taken: tuple[str, ...], milestone: str, expected: str
) -> None:
    assert next_id(kind, taken, milestone) == expected
    assert kind_of(expected) is kind
