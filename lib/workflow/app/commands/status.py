"""`stepscript status`: shows the status of a run."""

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from os.path import dirname
from typing import TYPE_CHECKING

import click
from attrs import asdict, evolve

from ...run.journal.entry import read_questions
from ...run.journal.projection import Agent, RunProjection, State, milliseconds
from ...run.journal.status import Standing, glimpse
from ...run.temporal.place import is_remote
from ...state.consent import is_marked, why_not
from ...state.run_dirs import runs_folder
from ...util.output import DONE, REFUSED
from ..arguments import far_options, json_option
from ..output.outlet import is_read
from ..output.screen import Screen, clock, count, emit, err, moment, out
from ..runs.found_runs import command_line, find, name_of, runs, server_of, spelled, undriven
from ..runs.placing import result_of, show
from ..runs.run_argument import run_argument
from ..runs.run_index import Seen, listed
from ..runs.standings import STATUS, changes_at, spec_at, spending_at, standing_at, unasked
from ..runs.trust import how, is_strange_server, is_yours, would

if TYPE_CHECKING:
    from ...run.spending.breakdown import AgentUsage

PAUSE = 0.5
"""Seconds between checks."""
PHASES = 12
"""Maximum phases whose tokens are shown, the last ones."""


@click.command()
@run_argument
@click.option("--watch", is_flag=True, help="print the status again after each event, until the run stops")
@far_options
@json_option
def command(run: str | None, watch: bool, all_hosts: bool, address: str, namespace: str, as_json: bool) -> int:
    r"""Show the status of a run.

    Shows its step, its agents at work, its questions, and changes nothing. RUN may be the state directory of a run
    that an agent drives: its skill reports the status, and --watch then ends with Ctrl-C. A run that you have not
    started here is shown as text; nothing of it is run, and no server is asked. With --all-hosts, RUN is a run that a
    server knows, whose folder may be on another machine.

    \b
    Exit status of --watch: 0 the run is done; 1 it stopped or was cancelled;
    3 it waits for you; 130 nobody drives it any more.
    """
    server = server_of(all_hosts, address, namespace)
    if server is not None:
        if watch:
            raise click.UsageError("--watch needs the run's folder; call `status` again instead")
        from ..runs.views.far_runs import show_status

        show_status(server, run, as_json)
        return DONE
    driver, folder = _meant(run)
    return _driver_says(driver, watch, as_json) if driver else _skill_says(folder, watch, as_json)


def _meant(run: str | None) -> tuple[str, str]:
    """Return the driver's folder of a run, or the state directory of one that an agent drives; the other may be empty.

    Raises ValueError, which lists the runs.
    """
    driver = "" if run else _last_readable()
    if driver:
        return driver, ""
    folder = undriven(run)
    if folder:
        return "", folder
    if run:
        return find(run), ""
    last = _last_of_the_others()
    return last.driver, last.run


def _last_readable() -> str:
    """Return the user's driven run that was last at work, empty for none; report each one that cannot be read."""
    for driver in filter(is_marked, runs()):
        try:
            spec_at(driver) if is_remote(driver) else glimpse(driver)
        except (ValueError, OSError) as error:
            err().error(f"passed over: {error}")
        else:
            return driver
    return ""


def _last_of_the_others() -> Seen:
    """Return the last run that an agent drives, or that is not the user's. Raises ValueError if none exists."""
    found = listed()
    for each in sorted(found, key=lambda each: not each.yours):
        if not each.problem:
            return each
    raise ValueError(f"{runs_folder()} holds no readable run; start one with `stepscript run`")


def _driver_says(folder: str, watch: bool, as_json: bool) -> int:
    changes = changes_at(folder)
    look = unasked if is_strange_server(folder) else standing_at
    redraws = watch and not as_json and out().stream.isatty()
    shown: tuple[str, State] | None = None
    while True:
        now = look(folder)
        if redraws or (now.account.last, now.state) != shown:
            _again(redraws)
            _show(now, as_json, watch)
        shown = (now.account.last, now.state)
        if not watch or not is_read():
            return DONE
        if now.state is not State.AT_WORK:
            return STATUS.get(now.state, REFUSED)
        next(changes)


def _skill_says(folder: str, watch: bool, as_json: bool) -> int:
    from ..output import console_document
    from ..runs.reports import brief_of

    shown = None
    while True:
        now = brief_of(folder)
        if now != shown:
            _again(watch and not as_json and out().stream.isatty())
            if as_json:
                emit(console_document.as_data(now), one_line=watch)
            else:
                console_document.tell(out(), now)
        shown = now
        if not watch or not is_read():
            return DONE
        time.sleep(PAUSE)


def _again(redraws: bool) -> None:
    """Clear a terminal, so that the next output replaces the last one."""
    if redraws:
        out().console().clear()


def _show(now: Standing, as_json: bool, watch: bool) -> None:
    yours = is_yours(now.run)
    if not yours:  # its last text may be a command
        now = evolve(now, account=evolve(now.account, text="", failure="", pauses=()))
    agents = spending_at(now.run, now.spec)
    said = _said(now.run, now.account.at_work if yours else ())
    tree = result_of(now.run) if yours else None
    if as_json:
        from ...run.spending.breakdown import as_data  # the same

        fields = asdict(now) | {"elapsed": round(_elapsed(now)), "last_words": said, "usage": as_data(agents)}
        fields |= {"worktree": asdict(tree) | {"command": tree.command} if tree else None}
        emit(fields if yours else fields | {"spec": fields["spec"] | {"start": ""}}, one_line=watch)
        return
    screen, account = out(), now.account
    if now.state is State.DONE:
        account = evolve(account, failure="")
    screen.line((name_of(now.run), "bold"), f"  {now.spec.workflow}  ", (str(now.state), "bold cyan"))
    if now.spec.request:
        screen.paragraph(now.spec.request, 2)
    screen.line(f"  {account.step}  ", (f"{count(account.pages, 'page')} so far", "dim"))
    if account.begun:
        screen.line(f"  elapsed: {clock(_elapsed(now))}", (f", since {moment(account.begun)}", "dim"))
    failed = f", {count(account.failed, 'attempt')} failed" if account.failed else ""
    screen.line(f"  agents: {len(account.at_work)} at work, {account.replied} done{failed}")
    _used(screen, agents)
    _agents(screen, account, said)
    show(screen, tree)
    for question in account.questions:
        _ask(screen, now.run, question.text, yours)
    _told(screen, account.text)
    if not yours:
        _strange(screen, now.run)
    elif now.state is State.INTERRUPTED:
        screen.line(("interrupted", "bold yellow"), "; continue with  ", command_line("resume", spelled(now.run)))


def _said(run: str, agents: Sequence[Agent]) -> Mapping[str, str]:
    """Return what each agent at work last printed, by its key."""
    if not agents:
        return {}
    from ..runs.views.last_words import last_words  # the same

    return {agent.key: last_words(run, agent) for agent in agents}


def _ask(screen: Screen, run: str, text: str, yours: bool) -> None:
    """Show open questions, with the command that answers those of an own run."""
    from ..runs.driving import ask, questions

    if yours:
        ask(screen, run, text)
    else:
        questions(screen, run, read_questions(text))


def _used(screen: Screen, agents: "Sequence[AgentUsage]") -> None:
    if not agents:
        return
    from ...run.spending.breakdown import by_phase  # a run without agents need not pay for it
    from ...run.spending.usage import total

    used = total(each.usage for each in agents)
    if used.tokens:
        screen.line(f"  used: {used.sentence}")
        phases = by_phase(agents).items()
        for phase, part in list(phases)[-PHASES:] if len(phases) > 1 else ():
            screen.line((f"    {phase}: {part.said} tokens {part.price}".rstrip(), "dim"))


def _agents(screen: Screen, account: RunProjection, said: Mapping[str, str]) -> None:
    """Show the agents at work with what each last printed, and those that wait for their client."""
    for agent in account.at_work:
        since = f"  attempt {agent.attempt}, since {moment(agent.since)}"
        screen.line(f"    {agent.role}  {agent.key}", (since, "dim"))
        if said.get(agent.key):
            screen.paragraph(f"> {said[agent.key]}", 6)
    if account.failure and not account.questions:
        screen.paragraph(f"last failure: {account.failure}", 4)
    waiting: dict[tuple[str, str], list[str]] = {}
    for pause in account.pauses:
        waiting.setdefault((pause.until, pause.why), []).append(f"{pause.role}  {pause.key}")
    for (until, why), names in waiting.items():
        more = f" and {count(len(names) - 1, 'more agent')}" if len(names) > 1 else ""
        screen.line(f"    {names[0]}{more}", (f"  waits until {moment(until)}: {why}", "yellow"))


def _elapsed(now: Standing) -> float:
    """Return the seconds that the run was driven, in all its sessions."""
    live = milliseconds(now.account.last, datetime.now(UTC).isoformat()) if now.state is State.AT_WORK else 0
    return (now.account.worked + live) / 1000


def _strange(screen: Screen, run: str) -> None:
    """Show a run without the user's mark: the reason, its actions, and how to agree."""
    screen.line((f"  {why_not(run)}", "yellow"))
    for line in would(dirname(run)):
        screen.paragraph(line, 2)
    screen.line(f"  {how(dirname(run))}")


def _told(screen: Screen, text: str) -> None:
    for line in text.strip().splitlines()[-20:]:
        screen.line(f"  {line}")
