"""An argparse parser that raises instead of printing and exiting."""

import argparse
import os
import sys
from typing import NoReturn

from ..errors import UsageError
from .script import HelpAskedError


class Help(argparse.RawDescriptionHelpFormatter):
    """A help formatter that does not import shutil.

    argparse makes one for each argument, to ask for the terminal's width.
    """

    def __init__(self, prog: str) -> None:
        try:
            width = os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1).columns
        except (OSError, ValueError):
            width = 80
        super().__init__(prog, max_help_position=28, width=max(width, 40) - 2)


class Parser(argparse.ArgumentParser):
    """An argument parser that raises instead of printing and exiting."""

    def print_help(self, file: object = None) -> NoReturn:
        """Raise HelpAskedError, so that `run` prints the help."""
        raise HelpAskedError(self.format_help().rstrip("\n"))

    def error(self, message: str) -> NoReturn:
        hint = "; write a value that starts with '-' after a '='" if message.endswith("expected one argument") else ""
        raise UsageError(message + hint)
