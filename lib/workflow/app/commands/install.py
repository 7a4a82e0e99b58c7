"""`stepscript install`: writes the skills into the folders in which clients look for them."""

from contextlib import suppress

import click

from ...util.output import DONE, REFUSED
from ..arguments import OneOf, json_option
from ..install.clients import Agent, Scope
from ..install_options import dry_run_option, place_options, report, tree_of
from ..screen import out


@click.command()
@click.option(
    "--agent",
    "agents",
    type=OneOf([agent.value for agent in Agent]),
    multiple=True,
    help="only this client; repeatable",
)
@place_options
@dry_run_option
@click.option("--check", is_flag=True, help="write nothing; exit status 1 if anything is missing or differs")
@json_option
def command(agents: tuple[str, ...], scope: str, project: str | None, dry_run: bool, check: bool, as_json: bool) -> int:
    """Install the skills for the agents that you use.

    For Claude Code, Codex, Gemini CLI, Copilot CLI, OpenCode and Cursor. Writes skill files whose commands run
    unchanged on this machine, the roles of agents, and for Claude Code and Gemini CLI one rule that permits those
    commands and a hook that names an unfinished run when a session starts. Files that you changed are kept, and shown;
    the exit status is then 1. Run it again after an upgrade.
    """
    from ..install.changes import ChangeKind
    from ..install.work import install, planned

    tree, chosen, kind = tree_of(scope, project), [Agent(name) for name in agents], Scope(scope)
    done = planned(tree, chosen, kind) if dry_run or check else install(tree, chosen, kind)
    if not (dry_run or check):
        _make_key()
    report(tree, done, as_json, "would be" if dry_run or check else "")
    if not as_json and not (dry_run or check) and any(change.kind is ChangeKind.NEW for change in done):
        _next(kind)
    wrong = [change for change in done if change.kind is not ChangeKind.SAME]
    kept = [change for change in wrong if change.kind is ChangeKind.KEPT]
    return REFUSED if (wrong if check else kept) else DONE


def _make_key() -> None:
    """Make the key that identifies the user's runs: an agent's sandbox may forbid it later."""
    from ...errors import RefusedError
    from ...state.consent import key_of_user

    with suppress(RefusedError):  # the doctor and the first run report it
        key_of_user(make=True)


def _next(scope: Scope) -> None:
    screen = out()
    screen.line()
    screen.line(
        "Next: start a new session of your agent and give it a task for a skill, such as ", ("/planner", "green"), "."
    )
    if scope is Scope.PROJECT:
        screen.paragraph("The files name the Python of this machine: do not commit them.")
