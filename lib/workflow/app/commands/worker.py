"""`stepscript worker`: serves a host, for runs on a Temporal server."""

import re
from datetime import timedelta
from typing import Final

import click

from ...run.temporal.place import checked_queue
from ...types import AgentRole
from ...util.output import DONE
from ..arguments import Whole, json_option, server_options
from ..output.screen import emit, out
from ..runs.engines import at_length
from ..runs.engines import host_queue as own
from ..runs.standings import TEMPORAL, chosen

MAX_DRAIN: Final = 86_400


@click.command()
@server_options
@click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="ROLE=N",
    help="number of agents of a role at a time (default: 8); repeatable",
)
@click.option("--pool", default="", metavar="NAME", help="launch agents for this pool; execute no runs and no steps")
@click.option(
    "--no-shared-folder",
    "apart",
    is_flag=True,
    help="launch agents of runs whose folders this host does not have; the runs' hosts send the work",
)
@click.option(
    "--serves", default="", metavar="ROLE,...", help="launch agents of these roles only (default: of all roles)"
)
@click.option(
    "--drain",
    type=Whole(0, MAX_DRAIN),
    default=0,
    metavar="SECONDS",
    help="time that agents and steps at work have to finish when the worker is asked to end (default: 0)",
)
@click.option("--metrics", default="", metavar="HOST:PORT", help="serve the worker's metrics for Prometheus there")
@json_option
def command(
    address: str,
    namespace: str,
    host_queue: str,
    limits: tuple[str, ...],
    pool: str,
    apart: bool,
    serves: str,
    drain: int,
    metrics: str,
    as_json: bool,
) -> int:
    r"""Serve this host, for runs on a Temporal server.

    It runs their steps and launches their agents until it is interrupted; the next worker goes on with the rest. With
    --drain it takes no new work then, and gives agents at work that time; a second Ctrl-C ends them at once. The
    host whose queue a run names executes the run, because its folder and its project are there. Several workers may
    serve one host.

    With --pool it serves no host, but launches agents of runs that were started with this pool, on whatever host. It
    needs their folders under the same paths, or --no-shared-folder on both sides.

    \b
    temporal server start-dev --db-filename runs.db
    stepscript worker --limit developer=2
    stepscript run planner "Limit each caller's requests" --engine temporal
    """
    most, roles = dict(_limit(text) for text in limits), _roles(serves)
    choice = chosen(TEMPORAL, address, namespace, host_queue or own(), pool, apart)
    from ..runs.hosts.serving import served

    checked_queue(choice.queue)
    if pool and host_queue:
        raise click.UsageError("a worker of a pool serves no host: leave out --host-queue")
    if pool:
        checked_queue(pool)
    at_length(served(choice, most, timedelta(seconds=drain), roles, _checked(metrics), as_json))
    if as_json:
        emit({"event": "stopped"}, one_line=True)
    else:
        out().line("stopped; unfinished runs wait for another worker")
    return DONE


def _roles(text: str) -> tuple[AgentRole, ...]:
    names = [name.strip() for name in text.split(",")] if text else list(AgentRole)
    for name in names:
        if name not in list(AgentRole):
            legal = f"a role is one of {', '.join(AgentRole)}"
            raise click.BadParameter(f"{name!r:.60} is not a role; {legal}", param_hint="--serves")
    return tuple(map(AgentRole, names))


def _checked(metrics: str) -> str:
    if metrics and re.fullmatch(r"(?:[\w.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):\d{1,5}", metrics) is None:
        raise click.BadParameter(f"{metrics!r:.60} is not HOST:PORT, such as 127.0.0.1:9464", param_hint="--metrics")
    return metrics


def _limit(text: str) -> tuple[AgentRole, int]:
    role, _, number = text.partition("=")
    if role not in list(AgentRole) or not (number.isascii() and number.isdigit() and len(number) < 4 and int(number)):
        legal = f"a role is one of {', '.join(AgentRole)}, N is 1 to 999"
        raise click.BadParameter(f"{text!r:.60} is not ROLE=N; {legal}", param_hint="--limit")
    return AgentRole(role), int(number)
