"""The argument RUN of commands."""

from typing import TYPE_CHECKING, Final

import click

from ..arguments import F
from ..conventions import in_project
from .run_index import listed

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

MOST: Final = 50
SECONDS: Final = 0.2
"""Limits of a completion: number of runs read, and seconds for reading them."""


class RunName(click.ParamType[str, str]):
    """A parameter that takes a handle of a run, which the command looks up."""

    name = "run"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem  # only a shell asks

        with in_project(ctx):
            found = listed(MOST, SECONDS)
        return [CompletionItem(each.name, help=each.task) for each in found if each.name.startswith(incomplete)]


def run_argument(command: F) -> F:
    """Add the optional argument `RUN`, passed as `run`."""
    return click.argument("run", required=False, type=RunName(), metavar="[RUN]")(command)
