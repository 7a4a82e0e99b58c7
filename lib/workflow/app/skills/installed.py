"""Entry points of installed packages (https://packaging.python.org/specifications/entry-points/).

It reads their files itself, because importing `importlib.metadata` takes a third of the time of `stepscript list`.
"""

import os
import sys
from collections.abc import Iterator, Mapping

_FOLDERS = (".dist-info", ".egg-info")


def added(group: str) -> Mapping[str, str]:
    """Return the entry points of a group by name; for duplicate names, the first on the import path."""
    found: dict[str, str] = {}
    for text in _declarations():
        if f"[{group}]" in text:
            for name, value in _of_group(text, group):
                found.setdefault(name, value)
    return found


def _declarations() -> Iterator[str]:
    for root in dict.fromkeys(sys.path):
        try:
            names = sorted(os.listdir(root or "."))
        except OSError:
            continue
        for name in names:
            if name.endswith(_FOLDERS):
                try:
                    with open(os.path.join(root, name, "entry_points.txt"), encoding="utf-8") as file:
                        yield file.read()
                except (OSError, UnicodeDecodeError):
                    continue


def _of_group(text: str, group: str) -> Iterator[tuple[str, str]]:
    within = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            within = line == f"[{group}]"
        elif within and "=" in line and not line.startswith(("#", ";")):
            name, _, value = line.partition("=")
            yield name.strip(), value.partition("[")[0].strip()
