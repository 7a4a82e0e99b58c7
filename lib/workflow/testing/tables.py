"""The command tables of a package, found in its source: only modules that assign TABLE are imported."""

import os
import re
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Final

_TABLE: Final = re.compile(r"^TABLE\b.*= Table\(", re.MULTILINE)


def homes_of_tables(package: str) -> Iterator[str]:
    """Yield the names of a package's modules that hold a command table, sorted within each folder."""
    spec = find_spec(package)
    for root in (spec.submodule_search_locations if spec else None) or ():
        for folder, folders, names in os.walk(root):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(folder, name)
                if name.endswith(".py") and _holds_table(path):
                    yield f"{package}.{os.path.relpath(path, root)[:-3].replace(os.sep, '.')}"


def _holds_table(path: str) -> bool:
    with open(path, encoding="utf-8") as file:
        return _TABLE.search(file.read()) is not None
