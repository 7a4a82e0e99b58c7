"""Findings, as a command prints them."""

from skills.planner.schema.plan.findings import Finding, listed


def test_findings_are_listed_one_a_line_with_their_blanks() -> None:
    found = [
        Finding("CC-M-001-001", "diff", "reads '    x'\nCC-M-001-002.diff: forged\u2028too", "fix it"),
        Finding("M-001", "name", "a", "b"),
    ]
    assert listed(found).split("\n") == [
        "CC-M-001-001.diff: reads '    x' CC-M-001-002.diff: forged too; fix it",
        "M-001.name: a; b",
    ]
