"""The launcher: a shell script that starts a skill's module by a live Python. A plugin and an installation have one."""

import os
from collections.abc import Sequence
from functools import cache
from typing import Final

from ...command.quoting import join, quote

MARK: Final = "$lines"
PRIVATE_PLACE: Final = "~/.local/share/stepscript"
"""Folder of an environment that needs neither uv nor pipx. The shell expands it."""


@cache
def _template() -> str:
    with open(os.path.join(os.path.dirname(__file__), "launcher.txt"), encoding="utf-8") as file:
        return file.read()


def launcher(sources: Sequence[str]) -> str:
    """Return the script. Its message says how to install the sources, of which the first is stepscript's."""
    return _template().replace(MARK, "\n".join(f"    {line}" for line in lines(sources)))


def lines(sources: Sequence[str]) -> tuple[str, ...]:
    """Return the commands that install stepscript and packages of skills, each from its source for pip.

    They work in place of an installation too whose Python is gone.
    """
    first, *more = sources
    added = "".join(f" --with {quote(source)}" for source in more)
    injected = f" && pipx inject stepscript {join(more)}" if more else ""
    return (
        f"uv tool install {quote(first)}{added}",
        f"pipx install --force {quote(first)}{injected}",
        f"python3 -m venv {PRIVATE_PLACE} && {PRIVATE_PLACE}/bin/pip install {join(sources)}",
    )
