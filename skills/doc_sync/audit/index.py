"""Rules for an index: every row names an existing file, every file has a row, and the page has nothing else."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from posixpath import normpath
from typing import Final

from attrs import frozen

from .findings import Finding, FindingKind, quoted
from .markdown import Page
from .near import Near
from .presence import INDEX, README
from .tree import MAX_PATH, Tree, folder_of, join

MAX_PATTERNS: Final = 200
"""Most rows of one index with patterns; each is compared with each name in the folder."""


@frozen
class Entry:
    """The file or folder that a row names."""

    line: int
    name: str
    """The name as written."""
    index: str
    """The path of the index file."""

    @property
    def path(self) -> str:
        """Return the normalized path from the index's folder."""
        return normpath(self.name)

    @property
    def full(self) -> str:
        """Return the path from the root."""
        return normpath(join(folder_of(self.index), self.name))

    @property
    def of_folder(self) -> bool:
        """Return True if the name is written as a folder."""
        return self.name.endswith("/")


def of_index(near: Near, path: str, page: Page) -> Iterator[Finding]:
    """Yield the faults of an index file."""
    tree = near.tree
    for prose in page.prose:
        what = f"{prose.lines} lines are" if prose.lines > 1 else "this line is"
        why = f"{what} neither heading nor table; move facts that the code does not show to {README}"
        yield Finding(path, prose.line, FindingKind.PROSE, why)
    for row in page.rows:
        if not row.names or not row.says:
            why = "say in backticks which file or folder to open" if row.says else "say when to open what it names"
            yield Finding(path, row.line, FindingKind.UNCLEAR_ROW, why)
    covered: set[str] = {INDEX}
    first: dict[str, int] = {}
    entries = [Entry(row.line, name, path) for row in page.rows for name in row.names]
    patterns = sum(_is_pattern(entry.path) for entry in entries)
    if patterns > MAX_PATTERNS:
        why = f"{patterns:,} patterns are more than {MAX_PATTERNS:,}; nothing in the table was checked"
        yield Finding(path, 1, FindingKind.UNREADABLE, why)
        return
    for entry in entries:
        if entry.path in first:
            why = f"{quoted(entry.name)} is also in line {first[entry.path]}; keep one row"
            yield Finding(path, entry.line, FindingKind.DOUBLE_ENTRY, why)
            continue
        first[entry.path] = entry.line
        yield from of_entry(near, entry)
        covered.update(_covered(tree, entry))
    yield from _missing(tree, path, covered)


def of_entry(near: Near, entry: Entry) -> Iterator[Finding]:
    """Yield the fault of one entry, if it has one."""
    kind, why = _fault(near, entry) or (None, "")
    if kind:
        yield Finding(entry.index, entry.line, kind, f"{quoted(entry.name)} {why}")


def _fault(near: Near, entry: Entry) -> tuple[FindingKind, str] | None:
    tree = near.tree
    if entry.name.startswith("~"):
        return (
            FindingKind.FOREIGN_ENTRY,
            "is in a home folder, outside this repository; remove the row",
        )
    if entry.name.startswith("/") or entry.path.split("/")[0] == "..":
        return FindingKind.FOREIGN_ENTRY, "is outside this folder; name it in the index of its own folder"
    if tree.exists(entry.full):
        is_file = entry.of_folder and entry.full in tree.files
        return (FindingKind.DEAD_ENTRY, "is a file; remove the slash at its end") if is_file else None
    if _is_pattern(entry.path):
        if not any(char.isalnum() for char in entry.path):
            return FindingKind.UNCLEAR_ROW, "does not say what it matches; a pattern needs a letter"
        return None if _covered(tree, entry) else (FindingKind.DEAD_ENTRY, "matches no file in this folder")
    if near.ignored(f"{entry.full}/" if entry.of_folder else entry.full):
        return FindingKind.IGNORED_ENTRY, "is ignored by git: a clone of this repository does not have it"
    if tree.exists(entry.path):
        return FindingKind.DEAD_ENTRY, f"is named from the root; {_from_here(entry)}"
    elsewhere = near.moved(entry.full)
    if elsewhere:
        return FindingKind.STALE_ENTRY, f"is no longer here; {quoted(elsewhere)} may be the new place"
    like = near.beside(entry.full, folder_of(entry.index))
    return (
        FindingKind.DEAD_ENTRY,
        f"does not exist; did you mean {quoted(like)}?" if like else "does not exist; remove the row",
    )


def _from_here(entry: Entry) -> str:
    """Return the advice for an entry that is written from the root."""
    folder = folder_of(entry.index)
    inside = entry.path.removeprefix(f"{folder}/")
    if inside == entry.path:
        return "name it in the index of its own folder"
    return f"write {quoted(inside + '/' * entry.of_folder)}"


def _covered(tree: Tree, entry: Entry) -> set[str]:
    """Return the children of the index's folder that an entry covers. A pattern covers files, or folders."""
    held = tree.folders[folder_of(entry.index)]
    names = held.folders if entry.of_folder else held.files
    if _is_pattern(entry.path):
        return {name for name in names if fnmatchcase(name, entry.path)} | ({entry.path} & names)
    return {entry.path}


def _is_pattern(path: str) -> bool:
    return len(path) <= MAX_PATH and any(char in path for char in "*?[")


def _missing(tree: Tree, path: str, covered: set[str]) -> Iterator[Finding]:
    folder = folder_of(path)
    for name in [*tree.visible_files(folder), *(f"{name}/" for name in tree.visible_folders(folder))]:
        if name.rstrip("/") not in covered:
            yield Finding(path, 1, FindingKind.MISSING_ENTRY, f"{quoted(name)} has no row; say when to open it")
