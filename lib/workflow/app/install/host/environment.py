"""Commands that change the environment of this program, for the tool that has made it."""

import os
import sys
from enum import StrEnum
from importlib.util import find_spec

from ....command.quoting import join, quote


class Maker(StrEnum):
    """The tool that made an environment."""

    UV_TOOL = "uv tool"
    PIPX = "pipx"
    PIP = "pip"
    UV_PIP = "uv pip"
    """Any environment without pip."""


def maker() -> Maker:
    """Return the tool that made the environment of this program."""
    parts = sys.prefix.split(os.sep)
    if "uv" in parts and "tools" in parts:
        return Maker.UV_TOOL
    if "pipx" in parts and "venvs" in parts:
        return Maker.PIPX
    return Maker.PIP if find_spec("pip") else Maker.UV_PIP


def adding_line(folder: str, source: str) -> str:
    """Return the command that adds the package of a folder to the environment.

    Args:
        folder: The folder with `pyproject.toml`.
        source: What pip installs stepscript from.
    """
    match maker():
        case Maker.UV_TOOL:
            return f"uv tool install {quote(source)} --with-editable {quote(folder)}"
        case Maker.PIPX:
            return f"pipx inject stepscript --editable {quote(folder)}"
        case _:
            return join((*_pip(), "--editable", folder))


def repairing_line(source: str) -> str:
    """Return the command that installs stepscript once more, although it is installed.

    Args:
        source: What pip installs stepscript from.
    """
    match maker():
        case Maker.UV_TOOL:
            return "uv tool upgrade --reinstall stepscript"
        case Maker.PIPX:
            return "pipx reinstall stepscript"
        case Maker.PIP:
            return join((*_pip(), "--force-reinstall", source))
        case Maker.UV_PIP:
            return join((*_pip(), "--reinstall", source))


def extra_line(extra: str, source: str) -> str:
    """Return the command that installs an extra of stepscript.

    Args:
        extra: The name of the extra.
        source: What pip installs stepscript from.
    """
    name, pinned, version = source.partition("==")
    wanted = f"{name}[{extra}]=={version}" if pinned else f"stepscript[{extra}] @ {source}"
    match maker():
        case Maker.UV_TOOL:
            return f"uv tool install {quote(wanted)}"
        case Maker.PIPX:
            return f"pipx install --force {quote(wanted)}"
        case _:
            return join((*_pip(), wanted))


def _pip() -> tuple[str, ...]:
    if maker() is Maker.PIP:
        return (sys.executable, "-m", "pip", "install")
    return ("uv", "pip", "install", "--python", sys.executable)
