"""The text and the JSON of findings and folders."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from lib.workflow.util.characters import plain_json, visible
from lib.workflow.util.plurals import count

from .audit.findings import Finding
from .audit.presence import Ground
from .audit.tree import Tree

MAX_LINES: Final = 200
"""Most lines of a report, unless all findings are requested."""
SHOWN: Final = 3
"""Findings of one kind in one page that are shown with their messages."""
PLACES: Final = 12
"""Lines of further findings that are named."""


def findings_as_text(tree: Tree, directory: str, found: Sequence[Finding], all_of_them: bool = False) -> str:
    """Return a line with the count, then `file:line: kind: message`.

    Files are relative to the working directory; if the folder was given as an absolute path, to that folder. Of many
    findings of one kind in one page the first are shown and the others counted.
    """
    namer = _Namer(tree, directory)
    lines = list(map(namer.line, found)) if all_of_them else list(_shortened(namer, found))
    return "\n".join([_summary(tree, found), *lines])


class _Namer:
    """A formatter of the files of findings."""

    def __init__(self, tree: Tree, directory: str) -> None:
        self._root = tree.root
        self._start = os.path.join(tree.root, tree.scope)
        self._directory = "." if os.path.isabs(directory) else directory

    def file(self, finding: Finding) -> str:
        """Return the file name for the output, escaped so that one finding cannot imitate another."""
        path = os.path.relpath(os.path.join(self._root, finding.file), self._start)
        return visible(os.path.normpath(os.path.join(self._directory, path))).replace(":", "\\x3a")

    def line(self, finding: Finding) -> str:
        """Return the whole finding."""
        return f"{self.file(finding)}:{finding.line}: {finding.kind}: {finding.message}"


def _shortened(namer: _Namer, found: Sequence[Finding]) -> Sequence[str]:
    """Return the lines of the groups: as many findings of each as fit; if none fit, the rarest kinds first."""
    lines: Sequence[str] = ()
    for shown in (SHOWN, 1):
        lines = [line for group in _groups(found) for line in _lines(namer, group, shown)]
        if len(lines) < MAX_LINES:
            return lines
    often = Counter(finding.kind for finding in found)
    groups = sorted(_groups(found), key=lambda group: often[group[0].kind])
    lines = [line for group in groups for line in _lines(namer, group, 1)]
    kept = lines[: MAX_LINES - 2]
    return [*kept, f"{len(lines) - len(kept):,} more lines: check one folder (DIR), or print every finding (--all)"]


def _groups(found: Sequence[Finding]) -> Iterator[Sequence[Finding]]:
    """Return the findings of each kind in each page."""
    ordered = sorted(found, key=lambda each: (each.file, each.kind, each.line))
    return (list(group) for _, group in groupby(ordered, key=lambda each: (each.file, each.kind)))


def _lines(namer: _Namer, group: Sequence[Finding], shown: int) -> Iterator[str]:
    yield from map(namer.line, group[:shown])
    rest = group[shown:]
    if rest:
        places = ", ".join(str(each.line) for each in rest[:PLACES])
        more = ", …" if len(rest) > PLACES else ""
        yield f"{namer.file(rest[0])}: {rest[0].kind}: {len(rest)} more, in lines {places}{more}"


def _summary(tree: Tree, found: Sequence[Finding]) -> str:
    counted = _counted(tree, len(found), "finding")
    kinds = Counter(finding.kind for finding in found)
    pages = len({finding.file for finding in found})
    if not found:
        return counted
    return f"{counted}, {count(pages, 'page')}: " + ", ".join(f"{n} {kind}" for kind, n in kinds.most_common())


def findings_as_json(tree: Tree, found: Sequence[Finding]) -> str:
    """Return an object: the root, the scope within it, the findings with their files from the root."""
    rows = [
        {"file": visible(item.file), "line": item.line, "kind": item.kind, "message": item.message} for item in found
    ]
    return _json(tree, "findings", rows)


def folders_as_text(tree: Tree, listed: Sequence[Ground]) -> str:
    """Return a line with the count, then one line per folder: its content, and the pages that it has and needs.

    If there are many folders, only those that have or need a page are listed.
    """
    shown = listed if len(listed) < MAX_LINES else [item for item in listed if _concerns(item)][: MAX_LINES - 2]
    lines = [
        f"{visible(item.folder) or '.'}/ | {count(item.files, 'file')}, {count(item.folders, 'folder')}"
        f" | index {_has(item.index, bool(item.needs))} | README {_has(item.readme, item.needs_readme)}"
        for item in shown
    ]
    left = [f"{count(len(listed) - len(shown), 'other')}; most have no page and need none"]
    return "\n".join([_counted(tree, len(listed), "folder"), *lines, *(left if len(shown) < len(listed) else [])])


def _concerns(item: Ground) -> bool:
    return item.index or item.readme or bool(item.needs) or item.needs_readme


def folders_as_json(tree: Tree, listed: Sequence[Ground]) -> str:
    """Return the folders as an object."""
    rows: list[Mapping[str, object]] = [
        {
            "folder": visible(item.folder),
            "files": item.files,
            "folders": item.folders,
            "index": item.index,
            "readme": item.readme,
            "needs_index": bool(item.needs),
            "needs_readme": item.needs_readme,
        }
        for item in listed
    ]
    return _json(tree, "folders", rows)


def _counted(tree: Tree, number: int, what: str) -> str:
    where = os.path.join(tree.root, tree.scope).rstrip("/")
    return f"{count(number, what)} in {visible(where)}"


def _has(there: bool, needed: bool) -> str:
    return "there" if there else ("MISSING" if needed else "not needed")


def _json(tree: Tree, name: str, rows: Sequence[Mapping[str, object]]) -> str:
    said = {"root": visible(tree.root), "scope": visible(tree.scope), name: rows}
    return plain_json(json.dumps(said, indent=2, ensure_ascii=False))
