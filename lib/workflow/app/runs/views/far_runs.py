"""Runs of all hosts of a Temporal server, for a machine that has neither their folders nor a worker."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import click
from attrs import asdict

from ....run.journal.entry import read_questions
from ....run.journal.journal import Entry
from ....run.temporal.client.far import Far, View, answer, events, far, find, listed, view
from ...output.screen import Screen, count, emit, err, moment, out
from ..found_runs import command_line
from ..standings import Choice

if TYPE_CHECKING:
    from temporalio.client import Client


T = TypeVar("T")


def show_runs(server: Choice, most: int, as_json: bool) -> None:
    """Print the latest runs of a server. Raises ServerError."""
    found = _asked(server, lambda client: listed(client, most + 1))
    more, found = len(found) > most, found[:most]
    if as_json:
        emit({"runs": [_fields(each) for each in found], "more": more})
        return
    if not found:
        out().line(f"no runs in namespace {server.namespace} of {server.address}")
        return
    heads = ("run", "state", "started", "host", "phase", "questions", "agents", "workflow", "task")
    rows = [
        (
            *(each.name, str(each.state), moment(each.begun, 16), each.host, each.facts.phase),
            *(str(each.facts.waiting), str(each.facts.agents), each.facts.workflow, each.facts.task or each.problem),
        )
        for each in found
    ]
    out().table(heads, rows, whole=4)
    if more:
        out().line("more runs:  ", command_line("runs", "--all-hosts", "--all"))


def show_status(server: Choice, handle: str | None, as_json: bool) -> None:
    """Print the status of a run, and its questions. Raises ServerError, ValueError."""

    async def ask(client: "Client") -> View:
        return await view(client, await find(client, _named(handle)))

    now = _asked(server, ask)
    if as_json:
        emit(_fields(now.run) | {"account": asdict(now.account), "problem": now.problem})
    else:
        _show(out(), server, now)


def events_of(server: Choice, handle: str | None) -> Sequence[Entry]:
    """Return the latest events of a run. Raises ServerError, ValueError."""

    async def ask(client: "Client") -> Sequence[Entry]:
        return await events(client, await find(client, _named(handle)))

    return _asked(server, ask)


def answer_run(server: Choice, words: Sequence[str], as_json: bool) -> None:
    """Send the user's answers to a run, whose handle is the first word. Raises ServerError, ValueError."""

    async def ask(client: "Client") -> Far:
        run = await find(client, _named(words[0] if words else None))
        await answer(client, run, words[1:])
        return run

    run = _asked(server, ask)
    if as_json:
        emit({"run": run.id, "answered": True, "goes_on": True})
    else:
        out().line("answer recorded; the run continues; see it with  ", _command("status", server, run.name))


def _asked(server: Choice, ask: "Callable[[Client], Awaitable[T]]") -> T:
    async def connected() -> T:
        return await ask(await far(server.address, server.namespace))

    return asyncio.run(connected())


def _named(handle: str | None) -> str:
    if handle is None:
        raise click.UsageError("name a run of the server; `stepscript runs --all-hosts` lists them")
    return handle


def _fields(run: Far) -> dict[str, object]:
    return {name: value for name, value in asdict(run).items() if name != "facts"} | asdict(run.facts)


def _show(screen: Screen, server: Choice, now: View) -> None:
    run, account = now.run, now.account
    screen.line((run.name, "bold"), f"  {run.facts.workflow}  ", (str(run.state), "bold cyan"))
    if run.facts.task:
        screen.paragraph(run.facts.task, 2)
    screen.line(f"  {account.step}  ", (f"{count(account.pages, 'page')} so far", "dim"))
    screen.line(f"  on {run.host}, in {run.folder}", (f", since {moment(run.begun)}", "dim"))
    screen.line(f"  agents: {len(account.at_work)} at work, {account.replied} done")
    for agent in account.at_work:
        since = f"  attempt {agent.attempt}, since {moment(agent.since)}"
        screen.line(f"    {agent.role}  {agent.key}", (since, "dim"))
    if account.failure and not account.questions:
        screen.paragraph(f"last failure: {account.failure}", 4)
    for open_one in account.questions:
        asked = read_questions(open_one.text).questions
        for each in asked:
            screen.paragraph(f"{each.header}: {each.text}", 2)
            for number, option in enumerate(each.options, 1):
                screen.paragraph(f"{number}  {option.label}", 4)
        screen.line("answer with  ", _command("answer", server, run.name, *("1" for _ in asked)))
    if account.text:
        screen.paragraph(account.text, 2)
    if now.problem:
        err().error(now.problem)


def _command(name: str, server: Choice, *words: str) -> str:
    return command_line(name, "--address", server.address, "--namespace", server.namespace, *words)
