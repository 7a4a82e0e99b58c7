"""`stepscript completion`: lets a shell complete commands, workflows and formats."""

from typing import Final

import click
from click.shell_completion import get_completion_class

from ...util.output import DONE
from ..arguments import OneOf, json_option
from ..output.screen import emit, out

_SHELLS: Final = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=OneOf(_SHELLS), metavar="SHELL")
@json_option
@click.pass_context
def command(ctx: click.Context, shell: str, as_json: bool) -> int:
    r"""Print the completion script for bash, zsh or fish.

    \b
    bash:  eval "$(stepscript completion bash)"   in ~/.bashrc
    zsh:   eval "$(stepscript completion zsh)"    in ~/.zshrc
    fish:  stepscript completion fish > ~/.config/fish/completions/stepscript.fish
    """
    completion = get_completion_class(shell)
    assert completion is not None
    text = completion(ctx.find_root().command, {}, "stepscript", "_STEPSCRIPT_COMPLETE").source()
    emit({"shell": shell, "script": text}) if as_json else out().text(text)
    return DONE
