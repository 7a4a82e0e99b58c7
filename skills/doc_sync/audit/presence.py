"""Folders that need an index and a README."""

from collections.abc import Iterator
from posixpath import splitext
from typing import Final

from attrs import frozen

from lib.workflow.util.plurals import count

from .findings import Finding, FindingKind
from .tree import Tree, join

INDEX: Final = "CLAUDE.md"
README: Final = "README.md"
README_SUFFIXES: Final = frozenset({"", ".md", ".markdown", ".rst", ".txt", ".adoc", ".org"})
"""File suffixes with which a README in any format counts, in lower case."""
MAX_FILES: Final = 50
"""Most files of a folder without an index; longer listings are searched rather than read."""
JUNCTION: Final = 4
"""Number of folders in a folder from which on a reader needs help to choose; fewer are seen at a glance."""


@frozen
class Ground:
    """A folder, with the pages that it has and needs."""

    folder: str
    files: int
    folders: int
    index: bool
    readme: bool
    needs: str
    """The reason for the pages that it needs; empty if it needs none."""

    @property
    def needs_readme(self) -> bool:
        """Return True if there is a division to explain, which a long list of files is not."""
        return not self.folder or self.folders >= JUNCTION


def grounds(tree: Tree) -> Iterator[Ground]:
    """Yield every visible folder in scope, the outermost first."""
    for folder in tree.in_scope():
        if not any(part.startswith(".") for part in folder.split("/")):
            files, folders = tree.visible_files(folder), tree.visible_folders(folder)
            has_index = join(folder, INDEX) in tree.files
            has_readme = any(_is_readme(name) for name in tree.folders[folder].files)
            yield Ground(folder, len(files), len(folders), has_index, has_readme, _needs(folder, files, folders))


def of_presence(tree: Tree) -> Iterator[Finding]:
    """Yield the missing indexes and READMEs."""
    for ground in grounds(tree):
        why = f"is missing, and the folder {ground.needs}"
        index, readme = join(ground.folder, INDEX), join(ground.folder, README)
        if ground.needs and not ground.index and not tree.is_quiet(index):
            yield Finding(index, 1, FindingKind.MISSING_INDEX, why)
        if ground.needs_readme and not ground.readme and not tree.is_quiet(readme):
            yield Finding(readme, 1, FindingKind.MISSING_README, f"{why}; explain how it is divided")


def _is_readme(name: str) -> bool:
    stem, suffix = splitext(name.lower())
    return stem == "readme" and suffix in README_SUFFIXES


def _needs(folder: str, files: list[str], folders: list[str]) -> str:
    if not folder:
        return "is the root"
    if len(folders) >= JUNCTION:
        return f"holds {count(len(folders), 'folder')}"
    return f"holds {count(len(files), 'file')}, more than {MAX_FILES}" if len(files) > MAX_FILES else ""
