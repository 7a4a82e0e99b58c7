"""The README's picture of a terminal, `docs/session.svg`, from commands that are run. `make docs` writes it."""

import os
import pty
import subprocess
import sys
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Final

from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text

SESSION: Final = ("stepscript step problem-analysis 3 --iteration 2",)
WIDTH: Final = 92
FRAME: Final = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img">
<title>A terminal session of stepscript</title>
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, monospace; font-size: {char_height}px; \
line-height: {line_height}px; font-variant-east-asian: full-width; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
"""The form of rich's drawing without the fonts that it loads from elsewhere."""


def picture() -> str:
    """Return the session as an SVG. It runs the commands in a terminal of their own."""
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True)
    for command in SESSION:
        console.print(Text.assemble(("$ ", "bold green"), (command, "bold")))
        console.print(Text.from_ansi(_printed(command)), end="\n\n")
    return console.export_svg(title="stepscript", theme=SVG_EXPORT_THEME, code_format=FRAME, unique_id="session")


def _printed(command: str) -> str:
    """Return what a command prints in a terminal, colours included."""
    words = [sys.executable, "-m", "stepscript", *command.split()[1:]]
    environment = {**os.environ, "COLUMNS": str(WIDTH), "TERM": "xterm-256color", "WORKFLOW_PYTHON": "python3 -I"}
    return in_terminal(words, environment)


def in_terminal(words: Sequence[str], environment: Mapping[str, str], cwd: str | None = None) -> str:
    """Return what a program prints in a terminal, with its control sequences and the line ends of a file."""
    leader, follower = pty.openpty()
    with subprocess.Popen(words, stdin=follower, stdout=follower, stderr=follower, env=environment, cwd=cwd):
        os.close(follower)
        text = bytearray()
        try:
            while data := os.read(leader, 65536):
                text += data
        except OSError:  # Linux: the other end is closed
            pass
    os.close(leader)
    return text.decode().replace("\r\n", "\n").rstrip("\n")


if __name__ == "__main__":
    sys.stdout.write(picture())
