"""Commands of `stepscript` that installed packages bring, each a function beside a skill.

A package registers one in the entry point group `stepscript.commands`: its name, and `module:function`. The function
takes the words behind the name and returns the exit status. The first line of its docstring is the command's help.
"""

import importlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

import click

from ...errors import RefusedError, placed
from ..conventions import JSON
from .installed import added

GROUP: Final = "stepscript.commands"
Run = Callable[[Sequence[str]], int]


@cache
def words() -> Mapping[str, str]:
    """Return the registered names, each with its `module:function`."""
    return added(GROUP)


def word_command(name: str) -> click.Command | None:
    """Return the command of this name that a package brings; None without one.

    Its help and all further words are the function's own. `--json`, before or among them, asks for its format `json`.
    """
    if name not in words():
        return None
    about, run = _loaded(name)

    def call(given: tuple[str, ...], as_json: bool) -> int:
        own = [word for word in given if word != JSON]
        return run((*(("--format", "json") if as_json or len(own) < len(given) else ()), *own))

    return click.Command(
        name,
        callback=call,
        params=[
            click.Option(["--json", "as_json"], is_flag=True, help="print one JSON document, for programs"),
            click.Argument(["given"], nargs=-1, type=click.UNPROCESSED, metavar="[WORDS]..."),
        ],
        help=about,
        short_help=about,
        add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    )


def short_help(name: str) -> str:
    """Return the help of a command that a package brings, in one line."""
    return _loaded(name)[0]


def _loaded(name: str) -> tuple[str, Run]:
    """Return the help and the function of a command. One that cannot be loaded refuses with the reason."""
    module, _, function = words()[name].partition(":")
    try:
        run: Run = getattr(importlib.import_module(module.strip()), function.strip())
    except Exception as error:  # any error of a foreign module is its author's to fix
        why = placed(error, module)
        return f"Cannot be used: {why}", _refusing(name, why)
    return (run.__doc__ or name).strip().partition("\n")[0], run


def _refusing(name: str, why: str) -> Run:
    def refuse(_: Sequence[str]) -> int:
        raise RefusedError("broken-command", name, why, "Show this to the maintainer of the package.")

    return refuse
