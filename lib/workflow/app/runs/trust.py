"""Consent at the command line: a run that this user has not started is shown first, and needs an answer."""

import os
from collections.abc import Iterator

from attrs import evolve

from ...errors import RefusedError
from ...run.journal import mark as marks
from ...run.journal.entry import Entry, Event
from ...run.journal.spec import Spec
from ...run.temporal.place import is_remote
from ...state import consent
from ...state.consent import CODE
from ...state.files import private_folder
from ...state.run_dirs import WORKTREES, check_unlinked
from ..output.asking import can_ask, confirm
from ..output.screen import err
from .found_runs import command_line, drivers, spelled
from .standings import Choice, choice_of, spec_at


def mark(run: str, spec: Spec, choice: Choice) -> None:
    """Mark a run as driven by this user. On failure, print a warning; the run then needs consent to go on."""
    private_folder(run)
    try:
        marks.mark(run, spec, choice.server)
    except RefusedError as error:
        err().error(f"cannot mark the run as yours: {error}\n{error.fix}")


def is_yours(run: str) -> bool:
    """Return True if this user started or agreed to a driven run, with its current agent and server."""
    try:
        return consent.is_marked(run) and marks.is_marked(run, spec_at(run), choice_of(run).server)
    except (ValueError, OSError):
        return False


def check(run: str) -> None:
    """Raise RefusedError for a driven run without this user's consent."""
    if not is_yours(run):
        folder = os.path.dirname(run)
        why = "\n".join((consent.why_not(run), *_would_drive(run)))
        raise RefusedError(CODE, folder, why, how(folder))


def without_commands(entry: Entry) -> Entry:
    """Return an event of somebody else's run, without the texts that can name commands: of its start, pages and end."""
    names = (Event.BEGUN, Event.STEP, Event.DONE, Event.STOPPED)
    return evolve(entry, command="", errors="", text="" if entry.event in names else entry.text)


def is_strange_server(run: str) -> bool:
    """Return True if a run names a server to which this user has not agreed."""
    return is_remote(run) and not is_yours(run)


def how(folder: str) -> str:
    """Return how the user agrees to the run in a folder."""
    return f"Inspect the run; if you agree, run:  {command_line('trust', spelled(os.path.join(folder, 'driver')))}"


def would(folder: str) -> Iterator[str]:
    """Yield what a run would do if it went on, line by line. An unreadable part is named, and does nothing."""
    from .reports import wish_of  # it searches all skills

    try:
        wish = wish_of(folder)
        yield from wish.lines() if wish else ()
    except RefusedError as error:
        yield f"{error.target} cannot be used: {error}"
    for run in drivers(folder):
        yield from _would_drive(run)


def agree(folder: str) -> None:
    """Mark all runs in a run's folder as agreed to by this user.

    Raises RefusedError if that is impossible, or if the run holds a link or is behind one, which could redirect
    writes.
    """
    check_unlinked(folder)
    link = next(_links(folder), None)
    if link is not None:
        raise RefusedError("linked-state", folder, f"it contains a symbolic link, {link}", "Remove the link.")
    from .reports import adopt

    adopt(folder)
    for run in drivers(folder):
        try:
            spec, choice = spec_at(run), choice_of(run)
        except (ValueError, OSError):
            continue  # it cannot go on, and reports the reason itself
        marks.mark(run, spec, choice.server)


def _links(folder: str) -> Iterator[str]:
    for parent, folders, files in os.walk(folder):
        yield from filter(os.path.islink, (os.path.join(parent, name) for name in (*folders, *files)))
        if parent == os.path.join(folder, WORKTREES):  # the project's own links
            folders.clear()


def ask(folder: str, why: str, again: str) -> None:
    """Show what a run would do, and ask. Raises RefusedError without a terminal, click.Abort for a no.

    Args:
        folder: The run's folder.
        why: The reason for the question.
        again: The command that gives consent without a terminal.
    """
    said = "\n".join((why, *would(folder)))
    if can_ask():
        err().error(f"{folder}: {said}")
    confirm("Do you agree?", RefusedError(CODE, folder, said, f"If you agree, run:  {again}"))


def _would_drive(run: str) -> Iterator[str]:
    try:
        spec, choice = spec_at(run), choice_of(run)
    except (ValueError, OSError) as error:
        yield f"{run} cannot be read: {error}"
        return
    yield f"it would start the agent: {'; '.join((spec.agent, *spec.agents))}"
    if spec.passes:
        yield f"it would pass to its agents the variables: {', '.join(spec.passes)}"
    if choice.server:
        yield f"it would ask the server: {choice.address}, namespace {choice.namespace}"
