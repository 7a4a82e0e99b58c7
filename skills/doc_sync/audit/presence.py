"""Which folders need an index and a README."""

from collections.abc import Iterator
from typing import Final

from attrs import frozen

from .findings import Finding, FindingKind
from .tree import Tree, join

INDEX: Final = "CLAUDE.md"
README: Final = "README.md"
MAX_FILES: Final = 50
"""That a folder may hold before it needs an index; a listing of more is not read, but searched."""
JUNCTION: Final = 4
"""Folders in a folder: whoever comes there must choose, and up to three are seen at a glance."""


@frozen
class Ground:
    """A folder, and what it has and needs."""

    folder: str
    files: int
    folders: int
    index: bool
    readme: bool
    needs: str
    """Why it needs what it needs; empty where it needs nothing."""

    @property
    def needs_readme(self) -> bool:
        """Whether there is a division to explain; a long list of files is none."""
        return not self.folder or self.folders >= JUNCTION


def grounds(tree: Tree) -> Iterator[Ground]:
    """Every visible folder in scope, the outermost first."""
    for folder in tree.in_scope():
        if not any(part.startswith(".") for part in folder.split("/")):
            files, folders = tree.visible_files(folder), tree.visible_folders(folder)
            has_index, has_readme = (join(folder, name) in tree.files for name in (INDEX, README))
            yield Ground(folder, len(files), len(folders), has_index, has_readme, _needs(folder, files, folders))


def of_presence(tree: Tree) -> Iterator[Finding]:
    """The indexes and READMEs that are not there."""
    for ground in grounds(tree):
        why = f"there is none, and the folder {ground.needs}"
        index, readme = join(ground.folder, INDEX), join(ground.folder, README)
        if ground.needs and not ground.index and not tree.is_quiet(index):
            yield Finding(index, 1, FindingKind.MISSING_INDEX, why)
        if ground.needs_readme and not ground.readme and not tree.is_quiet(readme):
            yield Finding(readme, 1, FindingKind.MISSING_README, f"{why}; say why it is divided so")


def _needs(folder: str, files: list[str], folders: list[str]) -> str:
    if not folder:
        return "is the root"
    if len(folders) >= JUNCTION:
        return f"holds {len(folders)} folders"
    return f"holds {len(files)} files, more than {MAX_FILES}" if len(files) > MAX_FILES else ""
