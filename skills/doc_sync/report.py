"""How findings and folders are told: a line each for people and agents, JSON for programs."""

import json
import os
from collections.abc import Mapping, Sequence

from lib.workflow.util.characters import plain_json, visible

from .audit.findings import Finding
from .audit.presence import Ground
from .audit.tree import Tree


def findings_as_text(tree: Tree, directory: str, found: Sequence[Finding]) -> str:
    """`file:line: kind: message`, the file as seen from where the command was run; the last line counts."""
    start = os.path.join(tree.root, tree.scope)
    lines = []
    for finding in found:
        path = os.path.relpath(os.path.join(tree.root, finding.file), start)
        file = visible(os.path.normpath(os.path.join(directory, path))).replace(":", "\\x3a")
        lines.append(f"{file}:{finding.line}: {finding.kind}: {finding.message}")
    return "\n".join([*lines, _counted(tree, len(found), "finding")])


def findings_as_json(tree: Tree, found: Sequence[Finding]) -> str:
    """An object: the root, the scope within it, the findings with their files from the root."""
    rows = [
        {"file": visible(item.file), "line": item.line, "kind": item.kind, "message": item.message} for item in found
    ]
    return _json(tree, "findings", rows)


def folders_as_text(tree: Tree, listed: Sequence[Ground]) -> str:
    """A folder a line: what it holds, has and needs; the last line counts."""
    lines = [
        f"{visible(item.folder) or '.'}/ | {item.files} files, {item.folders} folders"
        f" | index {_has(item.index, bool(item.needs))} | README {_has(item.readme, item.needs_readme)}"
        for item in listed
    ]
    return "\n".join([*lines, _counted(tree, len(listed), "folder")])


def folders_as_json(tree: Tree, listed: Sequence[Ground]) -> str:
    """The same as an object."""
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
    return f"{number} {what}{'' if number == 1 else 's'} in {visible(where)}"


def _has(there: bool, needed: bool) -> str:
    return "there" if there else ("MISSING" if needed else "not needed")


def _json(tree: Tree, name: str, rows: Sequence[Mapping[str, object]]) -> str:
    told = {"root": visible(tree.root), "scope": visible(tree.scope), name: rows}
    return plain_json(json.dumps(told, indent=2, ensure_ascii=False))
