"""The reference of the command `stepscript`, `docs/cli.md`, from its help texts. `make docs` writes it."""

import sys
from collections.abc import Iterator
from typing import Final

import click

from ..main import COMMANDS, stepscript

WIDTH: Final = 100
HEAD: Final = """\
# The command `stepscript`

Made from the help texts by `make docs`; a test keeps it true.
The [README](../README.md#exit-statuses) lists the exit statuses.
"""


def reference() -> str:
    """Return the page."""
    return "\n".join([HEAD, *_sections()])


def _sections() -> Iterator[str]:
    settings = {**stepscript.context_settings, "terminal_width": WIDTH}
    top = click.Context(stepscript, info_name="stepscript", **settings)
    for name in COMMANDS:
        command = stepscript.get_command(top, name)
        if command is None:
            raise AssertionError(name)  # COMMANDS names the modules
        context = click.Context(command, info_name=name, parent=top, terminal_width=WIDTH)
        yield f"## {name}\n\n```text\n{command.get_help(context).rstrip()}\n```\n"


if __name__ == "__main__":
    sys.stdout.write(reference())
