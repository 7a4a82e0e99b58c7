"""`stepscript run`: drives a workflow with agents."""

import click

from ...command import flag_of
from ...discovery import Found
from ...run.clients.presets import agents_of, unpriced, withheld_from
from ...run.clients.roles import role_of, spelled
from ...run.defaults import (
    ATTEMPTS,
    MAX_PARALLEL,
    MOST_AGENTS,
    MOST_ATTEMPTS,
    MOST_CENTS,
    MOST_MINUTES,
    MOST_PARALLEL,
    MOST_SECONDS,
    MOST_TOKENS,
    SECONDS,
)
from ...run.engine import Spec
from ...state.run_documents import folder_at
from ..arguments import Number, Whole, engine_options, json_option, wait_option
from ..output.screen import out
from ..runs.driving import STATE_DIR, first_command, go, new_folder
from ..runs.engines import fresh
from ..runs.standings import LOCAL, chosen
from ..runs.workplaces import place
from ..settings import settings, user_file
from ..skills.packages import packages
from ..skills.start_commands import told_at_start
from ..workflow_argument import workflow_argument


@click.command()
@workflow_argument
@click.argument("request", default="")
@click.option(
    "--agent",
    "given_agents",
    multiple=True,
    metavar="[ROLE=]AGENT",
    help="a client, several in order of preference (codex,claude), or a program that reads prompts; for all roles, or "
    "for one; may be repeated (default: claude)",
)
@click.option(
    "--unrestricted",
    is_flag=True,
    help="lift the client's limits: its agents run ANY program, as you, without asking; by default, they change files "
    "of the project and run stepscript commands",
)
@click.option(
    "--model", "models", multiple=True, metavar="TIER=NAME", help="model for a tier: fast, standard or strong"
)
@click.option("--set", "given", multiple=True, metavar="NAME=VALUE", help="parameter of the workflow's first step")
@click.option(
    "--max-parallel",
    type=Whole(1, MOST_PARALLEL),
    help=f"number of agents at a time (default: {MAX_PARALLEL})",
)
@click.option(
    "--attempts", type=Whole(1, MOST_ATTEMPTS), default=ATTEMPTS, show_default=True, help="attempts of each agent"
)
@click.option(
    "--time-limit", type=Whole(1, MOST_SECONDS), default=SECONDS, show_default=True, help="seconds of an attempt"
)
@click.option("--max-agents", type=Whole(1, MOST_AGENTS), help="ask before more agents (retries count) are started")
@click.option("--max-minutes", type=Whole(1, MOST_MINUTES), help="ask before an agent is started after this time")
@click.option("--max-tokens", type=Whole(1, MOST_TOKENS), help="ask before an agent is started after this many tokens")
@click.option(
    "--max-cost",
    type=Number(0.01, MOST_CENTS / 100),
    metavar="DOLLARS",
    help="ask before an agent is started after this price, as clients report it or as estimated by the settings",
)
@click.option(
    "--pass-env",
    "passes",
    multiple=True,
    metavar="NAME",
    help="pass a variable to agents although it may hold a secret; NAME* passes all that begin so; may be repeated",
)
@click.option(
    "--worktree",
    is_flag=False,
    flag_value="run",
    type=click.Choice(("run", "each")),
    help="work in a git worktree of the run, on the branch stepscript/RUN; with each, every agent that a page launches "
    "has a worktree of its own, whose changes are merged",
)
@click.option("--carry-changes", is_flag=True, help="begin the worktree with your uncommitted changes, as a commit")
@click.option(
    "--no-shared-folder",
    "apart",
    is_flag=True,
    help="hosts of the pool have neither the project nor the run's folder: each agent gets a worktree there, whose "
    "changes are merged into the branch stepscript/RUN",
)
@wait_option
@engine_options
@json_option
def command(
    found: Found,
    request: str,
    given_agents: tuple[str, ...],
    unrestricted: bool,
    models: tuple[str, ...],
    given: tuple[str, ...],
    max_parallel: int | None,
    attempts: int,
    time_limit: int,
    max_agents: int | None,
    max_minutes: int | None,
    max_tokens: int | None,
    max_cost: float | None,
    passes: tuple[str, ...],
    worktree: str | None,
    carry_changes: bool,
    apart: bool,
    no_wait: bool,
    engine: str,
    address: str,
    namespace: str,
    host_queue: str,
    pool: str,
    as_json: bool,
) -> int:
    r"""Run a workflow to its end, with agents.

    REQUEST is what you want, in your words. AGENT is claude, codex, gemini, copilot, opencode, or a program with its
    arguments: it gets each prompt on standard input, and its output is its reply. CLIENT:MODEL chooses the model. After
    a comma, a further client does the work when those before it cannot. For claude and gemini, the tiers have default
    models; for others, or to change one, give --model strong=NAME. The agents, the models, --max-parallel and the
    ceilings have defaults in stepscript.toml, or [tool.stepscript] of pyproject.toml.

    \b
    Exit status: 0 the run is done; 1 it stopped, and says why; 3 it waits
    for you, and says how you answer. A run that was killed is resumed.
    """
    file = settings()
    models = models or file.models.words
    said = [spelled(text, unrestricted) for text in given_agents or file.agents]
    agents = tuple(text for text in said if role_of(text)[0] is not None)
    general = [text for text in said if text not in agents] or [spelled("claude", unrestricted)]
    if len(general) > 1:
        raise click.UsageError("--agent: several agents for all roles; write them in one option, codex,claude")
    agent = general[0]
    values = dict(_pair(text) for text in given)
    if engine == LOCAL:
        agents_of(agent, agents, models, None, packages())  # refuse an unknown agent before anything starts
    if STATE_DIR not in values and flag_of(STATE_DIR) in told_at_start(found):
        raise click.UsageError(f"{found.workflow.name} needs the run directory of a started run: --set {STATE_DIR}=DIR")
    folder = folder_at(values[STATE_DIR]) if STATE_DIR in values else new_folder()
    if carry_changes and not (worktree or apart):
        raise click.UsageError("--carry-changes: add --worktree or --worktree each")
    if worktree and engine != LOCAL:
        raise click.UsageError("--worktree: a run on a Temporal server has none; leave out --engine")
    driver, start = fresh(folder), first_command(found.workflow, request, values, folder)
    spec = Spec(
        workflow=found.workflow.name,
        start=str(start),
        request=request,
        agent=agent,
        agents=agents,
        models=models,
        max_parallel=max_parallel or file.max_parallel or MAX_PARALLEL,
        attempts=attempts,
        seconds=time_limit,
        max_agents=max_agents or file.max_agents,
        max_minutes=max_minutes or file.max_minutes,
        max_tokens=max_tokens or file.max_tokens,
        max_cents=round((max_cost or 0) * 100) or file.max_cents,
        prices=file.prices,
        passes=passes or file.pass_env,
    )
    nameless = unpriced(spec.agent, spec.agents, spec.prices) if spec.max_cents else ()
    if nameless:
        raise click.UsageError(
            f"--max-cost: {', '.join(nameless)} reports no price; give dollars for a million tokens in {user_file()}, "
            f"[prices], {nameless[0]} = 2.50; or use --max-tokens"
        )
    hidden = withheld_from(spec.agent, spec.agents, spec.passes) if engine == LOCAL and not as_json else ()
    if hidden:
        out().paragraph(f"agents do not see these variables: {', '.join(hidden)}; --pass-env NAME passes one on")
    choice = chosen(engine, address, namespace, host_queue, pool, apart)
    if worktree or apart:
        place(folder, worktree or "each", carry_changes, apart)
    return go(driver, spec, as_json, choice=choice, waits=not no_wait)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r:.60} is not NAME=VALUE")
    return name.replace("-", "_"), value
