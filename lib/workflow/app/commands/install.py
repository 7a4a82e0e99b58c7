"""`stepscript install`: writes the skills into the folders in which clients look for them."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

import click

from ...command import launcher
from ...errors import RefusedError
from ...state.consent import key_of_user
from ...state.run_dirs import home_folder
from ...util.output import DONE, REFUSED
from ..arguments import OneOf, json_option
from ..install.changes import SETTLED, Change, ChangeKind, Resolution
from ..install.clients import Agent, Scope
from ..install.distribution import origin
from ..install.doctor import skill_files
from ..install.host.detection import detected
from ..install.host.ephemeral import check_lasting
from ..install.tree import Tree
from ..install.upgrade.recovery import known
from ..install.wanted import chosen_skills
from ..install.work import Asked, install, planned, selection
from ..install_options import (
    ask,
    check_project,
    check_writable,
    dry_run_option,
    needs_consent,
    place_options,
    report,
    tree_of,
    yes_option,
)
from ..output.screen import out
from ..skills.start_commands import SKILL

EXAMPLE: Final = "planner"
"""Skill that the last line names, if it is among the installed ones."""


@click.command()
@click.option(
    "--agent",
    "agents",
    type=OneOf([agent.value for agent in Agent]),
    multiple=True,
    help="only this client; repeatable (default: those that are found)",
)
@click.option("--skill", "skills", metavar="NAME", multiple=True, help="only this skill; repeatable (default: all)")
@click.option("--prefix", metavar="TEXT", help="begin the names of the skills with this, as in my-planner")
@place_options
@yes_option
@dry_run_option
@click.option("--ours", "resolution", flag_value="ours", help="keep files that you changed as they are")
@click.option(
    "--theirs", "resolution", flag_value="theirs", help="replace files that you changed by those of stepscript"
)
@click.option("--merge", "resolution", flag_value="merge", help="merge your changes with those of stepscript")
@click.option("--check", is_flag=True, help="write nothing; exit status 1 if anything is missing or differs")
@json_option
def command(
    agents: tuple[str, ...],
    skills: tuple[str, ...],
    prefix: str | None,
    scope: str,
    project: str | None,
    yes: bool,
    resolution: str | None,
    dry_run: bool,
    check: bool,
    as_json: bool,
) -> int:
    """Install the skills for the agents that you use.

    For Claude Code, Codex, Gemini CLI, Copilot CLI, OpenCode and Cursor: those whose program or folder is found. Shows
    what it will write, and asks. Writes skill files whose commands run unchanged on this machine, the roles of agents,
    and for Claude Code and Gemini CLI a rule that permits those commands and a hook that names an unfinished run when
    a session starts. Run it again after an upgrade: it keeps the clients and skills, and --agent and --skill add to
    them. Files that you changed are kept. If there is a newer version of one, it is shown, and the exit status is 1:
    choose --merge, --ours or --theirs.
    """
    tree, kind = tree_of(scope, project), Scope(scope)
    if kind is Scope.PROJECT:
        check_project(tree)
        if not (check or dry_run):
            check_writable(tree)
    if not check:
        check_lasting(launcher()[0], tree.root, origin())
    found = _clients(tree, kind, [Agent(name) for name in agents])
    asked = Asked(tuple(found), skills, prefix, Resolution(resolution) if resolution else None)
    done = planned(tree, asked, kind)
    if not (dry_run or check):
        _check_skills(tree, asked)
        if not yes and needs_consent(done):
            if not as_json:
                _show_clients(found)
            ask(tree, "Install?", done, as_json)
        done = install(tree, asked, kind)
        _make_key()
    report(tree, done, as_json, "would be" if dry_run or check else "")
    if not as_json and not (dry_run or check) and any(change.kind is ChangeKind.NEW for change in done):
        _next(kind, done)
    if not as_json and any(change.kind is ChangeKind.KEPT and change.joined is None for change in done):
        out().line()
        out().line("Choose what becomes of the kept files: ", ("--merge", "green"), ", --ours or --theirs.")
    wrong = [change for change in done if change.kind not in SETTLED]
    kept = [change for change in wrong if change.kind is ChangeKind.KEPT]
    return REFUSED if (wrong if check else kept) else DONE


def _clients(tree: Tree, scope: Scope, asked: Sequence[Agent]) -> Mapping[Agent, str]:
    """Return the clients to install for, each with the reason. Raises RefusedError if none is named or found."""
    if asked:
        return dict.fromkeys(asked, "named")
    held = known(tree)
    if held is not None:
        return dict.fromkeys(held.agents, "installed before")
    home = home_folder()
    found = detected(tree if scope is Scope.PROJECT else None, Tree(home) if home else None)
    if not found:
        what = "no client was found, neither by its program nor by a folder of it, here or in your home folder"
        names = ", ".join(agent.value for agent in Agent)
        raise RefusedError("no-client", tree.root, what, f"Name one, as in --agent claude. Known: {names}")
    return found


def _check_skills(tree: Tree, asked: Asked) -> None:
    skill_files.check(chosen_skills(selection(known(tree), asked).skills))


def _show_clients(found: Mapping[Agent, str]) -> None:
    for agent, why in found.items():
        out().line(f"  {agent:<9}", (why, "dim"))


def _make_key() -> None:
    """Make the key that identifies the user's runs: an agent's sandbox may forbid it later."""
    with suppress(RefusedError):  # the doctor and the first run report it
        key_of_user(make=True)


def _next(scope: Scope, done: Sequence[Change]) -> None:
    screen = out()
    names = [change.path.split("/")[-2] for change in done if change.path.endswith(f"/{SKILL}")]
    example = EXAMPLE if EXAMPLE in names else next(iter(names), EXAMPLE)
    screen.line()
    screen.line(
        "Next: start a new session of your agent and give it a task for a skill, such as ",
        (f"/{example}", "green"),
        ".",
    )
    if scope is Scope.PROJECT:
        screen.paragraph("The files name the Python of this machine: do not commit them.")
