"""The targets of a Makefile, as far as its text shows them. Nothing is run."""

import os
import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Final

from attrs import frozen

from .tree import Tree, folder_of, join

NAMES: Final = ("GNUmakefile", "makefile", "Makefile")
MAX_BYTES: Final = 1 << 20
MAX_PATTERNS: Final = 100
"""Most targets with a `%`; each is compared with each target that a page names."""
_INCLUDES: Final = re.compile(r"^[ ]*[-s]?include\b", re.MULTILINE)
_SETS: Final = re.compile(r"^(\w+)[ \t]*[:?]{0,2}=[ \t]*([^\n]*)$", re.MULTILINE)
_RULE: Final = re.compile(r"^([^\s#:=][^#:=\n]*):(?!=)", re.MULTILINE)
_VARIABLE: Final = re.compile(r"\$[({](\w+)[)}]")


@frozen
class Targets:
    """The targets of a Makefile."""

    names: frozenset[str]
    patterns: tuple[str, ...]
    """The targets that are patterns."""

    def make(self, target: str) -> bool:
        """Return True if a target is one of them, or matches a pattern among them."""
        return target in self.names or any(fnmatchcase(target, pattern) for pattern in self.patterns)


def targets_beside(tree: Tree, page: str) -> Targets | None:
    """Return the targets of the Makefile in a page's folder or in the root.

    Returns None if the Makefile is missing, includes another, or computes its targets.
    """
    for path in (join(base, name) for base in dict.fromkeys((folder_of(page), "")) for name in NAMES):
        file = tree.files.get(path)
        if file and not file.link and file.size <= MAX_BYTES:
            with open(os.path.join(tree.root, path), encoding="utf-8", errors="replace") as opened:
                return targets_of(opened.read())
    return None


def targets_of(text: str) -> Targets | None:
    """Return the targets of a Makefile's text, or None as above."""
    text = text.replace("\\\n", " ")
    values = dict(_SETS.findall(text))
    made: str | None = " ".join(_RULE.findall(text))
    for _ in range(2):  # for a variable whose value contains one
        made = _filled(made, values) if made is not None else None
    if made is None or _INCLUDES.search(text) or "$" in made:
        return None
    names = frozenset(target.replace("%", "*") for target in made.split())
    patterns = tuple(name for name in names if any(char in name for char in "*?["))
    return Targets(names, patterns) if len(patterns) <= MAX_PATTERNS else None


def _filled(text: str, values: Mapping[str, str]) -> str | None:
    """Return the text with its variables' values; None if it grows beyond the limit of a Makefile."""
    if sum(len(values.get(name, "")) for name in _VARIABLE.findall(text)) > MAX_BYTES:
        return None
    return _VARIABLE.sub(lambda found: values.get(found[1], found[0]), text)
