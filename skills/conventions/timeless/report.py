"""Formats of findings: one line each for people and agents, JSON for programs."""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lib.workflow.util.characters import plain_json, printable, visible
from lib.workflow.util.plurals import count

from .kinds import Row, kinds
from .scan import Finding


class Report(NamedTuple):
    """The findings by file, and the number of files that were read."""

    files: int
    found: Sequence[tuple[str, Finding]]


def as_text(report: Report) -> str:
    """Return lines `file:line:column: kind: "wording"; what to write instead`, and a last line with the counts."""
    rows = kinds()
    lines = []
    for path, one in report.found:
        row = rows[one.kind]
        said = f'"{visible(one.wording)}" tells of {row.meaning}; {row.instead}'
        lines.append(f"{visible(path)}:{one.line}:{one.column}: {one.kind}: {said}")
    return "\n".join([*lines, f"{count(len(report.found), 'finding')} in {count(report.files, 'file')}"])


def as_json(report: Report) -> str:
    """Return an object: the number of files that were read, and the findings."""
    rows = kinds()
    found = [
        {
            "file": printable(path),
            "line": one.line,
            "column": one.column,
            "kind": one.kind,
            "wording": one.wording,
            "instead": rows[one.kind].instead,
        }
        for path, one in report.found
    ]
    return plain_json(json.dumps({"files": report.files, "findings": found}, indent=2, ensure_ascii=False))


def explained() -> str:
    """Return the kinds, for the help."""
    return "\n".join(_explained(kinds().values()))


def _explained(rows: Iterable[Row]) -> Iterable[str]:
    for row in rows:
        yield f"  {row.kind:<9} {row.question}\n{'':<12}{row.instead}"
