"""`stepscript runs`: lists the runs of this project."""

import click
from attrs import asdict

from ...util.output import DONE
from ..arguments import far_options, json_option
from ..output.screen import emit, err, moment, out
from ..runs.found_runs import command_line, server_of
from ..runs.run_index import listed

MOST, MOST_FAR = 20, 9_999
"""Maximum runs listed without `--all`, so that they fit a terminal, and runs of a server listed with it."""
SECONDS = 0.1
"""Seconds for reading them: a list must be fast, and a repository can bring runs of any number and size."""


@click.command()
@click.option(
    "--all", "every", is_flag=True, help=f"list all runs, not only the last {MOST} or fewer, if reading takes long"
)
@far_options
@json_option
def command(every: bool, all_hosts: bool, address: str, namespace: str, as_json: bool) -> int:
    """List the runs of this project, the last at work first.

    These are runs that stepscript drives, and runs that an agent leads. A run that you did not start here is
    `unmarked`. This command asks no server; `stepscript status RUN` asks the server of that run. With --all-hosts, it
    lists the runs that a server knows, the last started first, whatever host they are on.
    """
    server = server_of(all_hosts, address, namespace)
    if server is not None:
        from ..runs.views.far_runs import show_runs

        show_runs(server, MOST_FAR if every else MOST, as_json)
        return DONE

    found = listed() if every else listed(MOST + 1, SECONDS)
    more, found = len(found) > MOST and not every, found if every else found[:MOST]
    if as_json:
        emit({"runs": [asdict(each) for each in found], "more": more})
    elif not found:
        out().line("no runs; start one with  stepscript run WORKFLOW")
    else:
        states = [each.state if each.yours else f"{each.state} (unmarked)" for each in found]
        rows = [
            (each.name, state, moment(each.last, 16), each.workflow, each.task)
            for each, state in zip(found, states, strict=True)
        ]
        out().table(("run", "state", "last event", "workflow", "task"), rows, whole=3)
        for each in found:
            if each.problem:
                err().error(each.problem)
        if more:
            out().line("more runs:  ", command_line("runs", "--all"))
        if not all(each.yours for each in found):
            out().line(
                "unmarked runs were not started by you here; inspect one with `status`, agree to it with `trust`"
            )
    return DONE
