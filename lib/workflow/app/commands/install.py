"""`stepscript install`: the skills, where the agents that people use look for them."""

import click

from ...output import DONE, REFUSED
from ..arguments import OneOf, json_option
from ..install.clients import Agent, Scope
from ..placing import dry_run_option, place_options, report, tree_of


@click.command()
@click.option(
    "--agent",
    "agents",
    type=OneOf([agent.value for agent in Agent]),
    multiple=True,
    help="Only this client; may be repeated.",
)
@place_options
@dry_run_option
@click.option("--check", is_flag=True, help="Write nothing; exit status 1 if anything is missing or differs.")
@json_option
def command(agents: tuple[str, ...], scope: str, project: str | None, dry_run: bool, check: bool, as_json: bool) -> int:
    """Install the skills for Claude Code, Codex, Gemini CLI, Copilot CLI, OpenCode and Cursor.

    Writes skill files whose commands run as they stand on this machine, the roles of agents, and for Claude Code one
    rule that permits those commands and a hook that names an unfinished run as a session starts. What you changed is
    left as it is, and shown; the exit status is then 1. Say it again after an upgrade.
    """
    from ..install.changes import Kind
    from ..install.work import install, planned

    tree, chosen, kind = tree_of(scope, project), [Agent(name) for name in agents], Scope(scope)
    done = planned(tree, chosen, kind) if dry_run or check else install(tree, chosen, kind)
    report(tree, done, as_json, "would be" if dry_run or check else "")
    wrong = [change for change in done if change.kind is not Kind.SAME]
    kept = [change for change in wrong if change.kind is Kind.KEPT]
    return REFUSED if (wrong if check else kept) else DONE
