"""Options and answers that all commands share: `-C/--project`, and errors in JSON.

A command with `--json` prints one JSON object on standard output, with the version of the format under `schema`; a
command that reports while it works prints one such object per line. An error is such an object too, on one line, with
the key `error`.
"""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Final

import click

JSON: Final = "--json"
PROJECT: Final = ("-C", "--project")
HELP: Final = ("-h", "--help")
HELP_TEXT: Final = "show this message and exit"
_GIVEN: Final = f"{__name__}.project"
"""Key of the context's entry for the folder that `-C` names."""


class ProjectOption(click.Option):
    """The option `-C/--project`: the command works in that folder, as if it had been started there."""

    def __init__(self) -> None:
        super().__init__(
            PROJECT,
            type=click.Path(exists=True, file_okay=False),
            metavar="DIR",
            expose_value=False,
            is_eager=True,
            callback=_enter,
            help="work in this folder, as if started there",
        )


def _enter(ctx: click.Context, _: click.Parameter, folder: str | None) -> None:
    if folder is not None:
        ctx.with_resource(contextlib.chdir(folder))
        ctx.meta[_GIVEN] = folder


def conform(command: click.Command, ctx: click.Context) -> click.Command:
    """Give a command the options of all commands: help with a text like those of the others, and the project.

    A command that declares `--project` keeps its own.
    """
    option = command.get_help_option(ctx)
    if option is not None:
        option.help = HELP_TEXT
    if not any(PROJECT[1] in param.opts for param in command.params):
        command.params.append(ProjectOption())
    return command


@contextlib.contextmanager
def in_project(ctx: click.Context) -> Iterator[None]:
    """Work in the folder that the command line names, for a completion: its command has been left by then."""
    folder: str | None = ctx.meta.get(_GIVEN)
    with contextlib.chdir(folder) if folder else contextlib.nullcontext():
        yield


def project_words() -> tuple[str, ...]:
    """Return the words that name the project of the present command, for the commands that it prints."""
    ctx = click.get_current_context(silent=True)
    folder: str | None = ctx.meta.get(_GIVEN) if ctx else None
    return () if folder is None else (PROJECT[0], folder)


def is_json(words: Sequence[str]) -> bool:
    """Return True if a command line asks for JSON; it may be wrong otherwise."""
    own = words[: words.index("--")] if "--" in words else words
    return JSON in own
