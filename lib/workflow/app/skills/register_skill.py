"""Registration of a new skill in the pages beside it: its package's index, and the table of skills in the README."""

import importlib
import os
from typing import Final

from ...state.files import replace_whole
from .overview import BEGIN, table, with_table

INDEX: Final = "CLAUDE.md"
README: Final = "README.md"
ROW: Final = "| `{name}/` | a request needs research before it is answered |\n"


def join(folder: str, package: str) -> list[str]:
    """Add a row for the folder to the index beside it, update the README's table, and return the changed pages.

    A page that is missing, is a link, or has no place for the row, is left alone.
    """
    parent, name = os.path.split(folder)
    index, readme = os.path.join(parent, INDEX), os.path.join(os.path.dirname(parent), README)
    changed = []
    for path, row in ((index, ROW.format(name=name)), (readme, None)):
        page = _read(path)
        made = _with_row(page, row) if row else _with_table(page, package)
        if made != page:
            replace_whole(path, made.encode())
            changed.append(path)
    return changed


def _read(path: str) -> str:
    if os.path.islink(path):
        return ""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _with_row(page: str, row: str) -> str:
    lines = page.splitlines(keepends=True)
    rows = [number for number, line in enumerate(lines) if line.startswith("|")]
    return "".join([*lines[: rows[-1] + 1], row, *lines[rows[-1] + 1 :]]) if rows else page


def _with_table(page: str, package: str) -> str:
    if BEGIN not in page:
        return page
    importlib.invalidate_caches()
    return with_table(page, table(package))
