"""The `stepscript` command, for people who want to see, check and start workflows."""

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from ..errors import SYSTEM_FIX, RefusedError
from ..util.documents import json_error
from ..util.output import DONE, INTERRUPTED, REFUSED, USAGE, ready, redacted, say, unsaid
from .conventions import HELP, HELP_TEXT, JSON, PROJECT, conform, is_json
from .output.outlet import outlet
from .output.screen import emit_line, err
from .skills import words

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS: Final[Mapping[str, str]] = {
    "list": "List the workflows of packages and of this project.",
    "show": "Show one workflow: its steps, its flags, how to start it.",
    "graph": "Show the steps of a workflow, and the target of each outcome.",
    "step": "Print one step of a workflow.",
    "walk": "Follow every way through a workflow, for all answers.",
    "validate": "Prove the workflows of a package.",
    "stats": "Measure the costs of a workflow, or of a run.",
    "report": "Write a run as one HTML page.",
    "new": "Make a new skill.",
    "schema": "Print the XML Schema 1.0 of the output of steps.",
    "completion": "Print the completion script for bash, zsh or fish.",
    "run": "Run a workflow to its end, with agents.",
    "rehearse": "Run a workflow with simulated agents, in seconds.",
    "resume": "Go on with a run that was killed or answered.",
    "trust": "Agree to a run that you have not started here.",
    "status": "Show the status of a run.",
    "answer": "Answer the questions of a run, and go on with it.",
    "logs": "Show the events of a run, one per line.",
    "stop": "Stop a run for now.",
    "cancel": "End a run for good.",
    "runs": "List the runs of this project, the last at work first.",
    "gc": "Delete runs that have ended.",
    "worker": "Serve this host, for runs on a Temporal server.",
    "install": "Install the skills for the agents that you use.",
    "uninstall": "Remove the files of `stepscript install`.",
    "bundle": "Write the skills as a plugin.",
    "doctor": "Find problems that keep the skills from working.",
}
"""Each command and its help in one line, in the order of the help. Its module in `commands` is imported on demand."""
EPILOG: Final = """\b
Start with:
  stepscript list                      the installed workflows
  stepscript show problem-analysis     one workflow, and how to start it
  stepscript step problem-analysis 1   its first step, as an agent gets it
"""


class Commands(click.Group):
    """The commands, loaded one at a time."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = HELP_TEXT
        return option

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *sorted(words.words().keys() - COMMANDS.keys())]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([*self.short_helps(ctx).items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem  # only a shell asks

        names = (item for item in self.short_helps(ctx).items() if item[0].startswith(incomplete))
        offered = [CompletionItem(name, help=about) for name, about in names]
        return [*offered, *click.Command.shell_complete(self, ctx, incomplete)]

    def short_helps(self, ctx: click.Context) -> Mapping[str, str]:
        """Return the help of each command in one line, without an import of the commands of this package."""
        return {name: COMMANDS.get(name) or words.short_help(name) for name in self.list_commands(ctx)}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            brought = words.word_command(cmd_name)
            return conform(brought, ctx) if brought else None
        command: object = importlib.import_module(f".commands.{cmd_name}", __package__).command
        assert isinstance(command, click.Command)
        command.name = cmd_name
        return conform(command, ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            raise click.NoSuchCommand(error.command_name, possibilities=self.list_commands(ctx), ctx=ctx) from None


def _version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        from importlib.metadata import version  # slower to import than the rest

        click.echo(f"stepscript {version('stepscript')}")
        ctx.exit()


@click.group(cls=Commands, epilog=EPILOG, context_settings={"max_content_width": 100, "help_option_names": HELP})
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="show the version and exit",
)
def stepscript() -> None:
    """Scripted agent workflows: every step prints what to do now and the command that comes next."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status (law 11)."""
    ready()
    stopped: SystemExit | None = None
    with outlet() as stream:
        try:
            status = _status(argv)
        except SystemExit as error:  # from a step's own parser, or a shell's completion
            status, stopped = error.code if isinstance(error.code, int) else DONE, error
    if stream is not None and stream.failure and not isinstance(stream.failure, BrokenPipeError):
        return unsaid(stream.failure)  # a closed pipe is not an error
    if stopped is not None:
        raise stopped
    return status


def _status(argv: Sequence[str] | None) -> int:
    """Return the exit status, even if output fails."""
    said = _as_json if is_json(sys.argv[1:] if argv is None else argv) else _said
    try:
        # in a pipe, help text is 80 columns wide, whatever COLUMNS says
        width = None if sys.stdout is not None and sys.stdout.isatty() else 80
        status = stepscript.main(args=argv, prog_name="stepscript", standalone_mode=False, terminal_width=width)
        return status if isinstance(status, int) else DONE
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        say(error.format_message())
        return USAGE
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else " ".join(("stepscript", *_command_in(argv)))
        hint = f"Try '{where} --help'."
        if isinstance(error, click.NoSuchOption) and where == "stepscript" and error.option_name in (*PROJECT, JSON):
            hint = f"Options follow a command, as in 'stepscript list {error.option_name}'."
        return said(Failure(USAGE, "usage", redacted(error.format_message()), hint=hint))
    except RefusedError as error:
        return said(Failure(REFUSED, error.code, str(error), error.target, error.fix))
    except OSError as error:
        target = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
        return said(Failure(REFUSED, "system-error", error.strerror or str(error), target, SYSTEM_FIX))
    except ValueError as error:
        return said(Failure(USAGE, "usage", redacted(str(error))))
    except Exception as error:
        if os.environ.get("STEPSCRIPT_TRACEBACK"):
            raise
        hint = "Set STEPSCRIPT_TRACEBACK=1 in the environment to see the traceback."
        text = f"internal error: {type(error).__name__}: {error}"
        return said(Failure(REFUSED, "internal-error", text, hint=hint))


def _command_in(argv: Sequence[str] | None) -> Sequence[str]:
    """Return the command of a command line, for errors of click that do not know theirs; empty without one."""
    first = (sys.argv[1:] if argv is None else argv)[:1]
    return first if first and first[0] in COMMANDS else ()


class Failure(NamedTuple):
    """The error that ended a command."""

    status: int
    code: str
    message: str
    target: str = ""
    fix: str = ""
    hint: str = ""
    """Further help for people."""


def _said(failure: Failure) -> int:
    """Report a failure to people, on standard error, and return the exit status."""
    target = f"{failure.target}: " if failure.target else ""
    fix = f"\n{failure.fix}" if failure.fix else ""
    err().error(f"{target}{failure.message}{fix}")
    if failure.hint:
        err().line((failure.hint, "dim"))
    return failure.status


def _as_json(failure: Failure) -> int:
    """Report a failure to a program, on standard output, and return the exit status."""
    fix = failure.fix or failure.hint
    emit_line(json_error(failure.status, failure.code, failure.message, failure.target, fix))
    return failure.status
