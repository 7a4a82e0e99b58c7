"""Folders that need an index and a README."""

from collections.abc import Iterator
from posixpath import splitext
from typing import Final

from attrs import frozen

from lib.workflow.util.plurals import count

from .findings import Finding, FindingKind
from .tree import Tree, join, name_of, parents

INDEX: Final = "CLAUDE.md"
README: Final = "README.md"
README_SUFFIXES: Final = frozenset({"", ".md", ".markdown", ".rst", ".txt", ".adoc", ".org"})
"""File suffixes with which a README in any format counts, in lower case."""
DATA_SUFFIXES: Final = frozenset(
    {
        *(".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".geojson", ".parquet", ".npy", ".npz", ".pkl", ".h5"),
        *(".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".ico", ".bmp", ".tif", ".tiff", ".pdf"),
        *(".ttf", ".otf", ".woff", ".woff2", ".mp3", ".wav", ".ogg", ".flac", ".mp4", ".mov", ".webm"),
        *(".zip", ".gz", ".bz2", ".xz", ".tar", ".tgz", ".7z", ".jar", ".whl", ".bin", ".dat", ".db", ".sqlite"),
        *(".po", ".mo", ".pem", ".crt", ".eml", ".har", ".log", ".diff", ".patch"),
        *(".in", ".out", ".stdin", ".stdout", ".stderr", ".expected", ".golden", ".snap", ".ambr"),
    }
)
"""Suffixes of files that hold data, in lower case: nobody opens one by its name to change what the project does."""
MAX_FILES: Final = 50
"""Most files of a folder without an index, data apart; longer listings are searched rather than read."""
JUNCTION: Final = 4
"""Number of folders in a folder, data apart, from which on a reader needs help to choose."""


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
    needs_readme: bool
    """True if there is a division to explain, which a long list of files is not."""


def grounds(tree: Tree) -> Iterator[Ground]:
    """Yield every visible folder in scope, the outermost first."""
    of_data = _of_data(tree)
    for folder in tree.in_scope():
        if not any(part.startswith(".") for part in folder.split("/")):
            files, folders = tree.visible_files(folder), tree.visible_folders(folder)
            has_index = join(folder, INDEX) in tree.files
            has_readme = any(_is_readme(name) for name in tree.folders[folder].files)
            inner = sum(join(folder, name) not in of_data for name in folders)
            needs = _needs(folder, sum(not _is_data(name) for name in files), inner)
            divided = not folder or inner >= JUNCTION
            yield Ground(folder, len(files), len(folders), has_index, has_readme, needs, divided)


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


def _needs(folder: str, files: int, folders: int) -> str:
    """Return why a folder needs pages, by its number of files and folders that are not data."""
    if not folder:
        return "is the root"
    if folders >= JUNCTION:
        return f"holds {count(folders, 'folder')}"
    return f"holds {count(files, 'file')}, more than {MAX_FILES}" if files > MAX_FILES else ""


def _of_data(tree: Tree) -> frozenset[str]:
    """Return the folders that hold data and nothing else, at any depth; a README beside it does not count."""
    data: set[str] = set()
    others: set[str] = set()
    for path in tree.files:
        found = data if _is_data(path) or _is_readme(name_of(path)) else others
        for folder in parents(path):
            if folder in found:
                break
            found.add(folder)
    return frozenset(data - others)


def _is_data(path: str) -> bool:
    return splitext(path.lower())[1] in DATA_SUFFIXES
