"""The targets of a Makefile, as far as they can be read off it. Nothing is run."""

import os
import re
from fnmatch import fnmatchcase
from typing import Final

from .tree import Tree, folder_of, join

NAMES: Final = ("GNUmakefile", "makefile", "Makefile")
MAX_BYTES: Final = 1 << 20
_INCLUDES: Final = re.compile(r"^[ ]*[-s]?include\b", re.MULTILINE)
_SETS: Final = re.compile(r"^(\w+)[ \t]*[:?]{0,2}=[ \t]*([^\n]*)$", re.MULTILINE)
_RULE: Final = re.compile(r"^([^\s#:=][^#:=\n]*):(?!=)", re.MULTILINE)
_VARIABLE: Final = re.compile(r"\$[({](\w+)[)}]")


def targets_beside(tree: Tree, page: str) -> frozenset[str] | None:
    """The targets, and patterns of targets, of the Makefile in a page's folder or in the root.

    None where there is none, or not all can be told: it includes another, or computes what it makes.
    """
    for path in (join(base, name) for base in dict.fromkeys((folder_of(page), "")) for name in NAMES):
        file = tree.files.get(path)
        if file and not file.link and file.size <= MAX_BYTES:
            with open(os.path.join(tree.root, path), encoding="utf-8", errors="replace") as opened:
                return targets_of(opened.read())
    return None


def targets_of(text: str) -> frozenset[str] | None:
    """The same, of a Makefile's text."""
    text = text.replace("\\\n", " ")
    values = dict(_SETS.findall(text))
    made = " ".join(_RULE.findall(text))
    for _ in range(2):  # a variable whose value holds one
        made = _VARIABLE.sub(lambda found: values.get(found[1], found[0]), made)
    if _INCLUDES.search(text) or "$" in made:
        return None
    return frozenset(target.replace("%", "*") for target in made.split())


def makes(targets: frozenset[str], target: str) -> bool:
    """Whether a target is one of them, or fits a pattern among them."""
    return any(fnmatchcase(target, pattern) for pattern in targets)
