"""The costs of a real run, computed from its events and its agents' transcripts."""

import glob
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

from attrs import frozen

from ...state.files import read_whole
from ...state.transcript import Print, read
from ...testing.costs import Context, Shown, TextKind
from ...types import AgentRole
from ..defaults import TRANSCRIPTS
from ..journal.entry import header_of
from ..journal.journal import Entry, Event

LARGEST: Final = 16 << 20
"""Maximum bytes of a prompt that is read."""


@frozen(kw_only=True)
class Spent:
    """The costs of a run so far."""

    shown: tuple[Shown, ...]
    untold: int
    """Number of agents without a transcript: the texts shown to them are not counted."""


def spent(run: str, events: Iterable[Entry]) -> Spent:
    """Read the texts shown to the agents of a run.

    Pages that the driver printed count for the orchestrator. Outputs of an agent's own commands are in the transcripts
    of its attempts. Commands that are not our scripts, such as a project's tests, are in neither.

    Args:
        run: The driver's folder.
        events: The events of the run, in order.
    """
    shown: list[Shown] = []
    known: dict[str, bool] = {}
    """Keys of agents, each with True if it left a transcript or needs none."""
    number = 0
    for entry in events:
        if entry.event is Event.STEP:
            shown.append(_print(0, AgentRole.ORCHESTRATOR, Print(name=entry.who, text=entry.text), Context()))
        elif entry.event is Event.ATTEMPT:
            number += 1
            role = AgentRole(entry.who)
            prompt = _prompt(os.path.join(run, "agents", f"{entry.key}-{entry.number}.prompt"))
            shown.append(Shown(agent=number, role=role, kind=TextKind.PROMPT, characters=len(prompt)))
            if entry.key not in known:
                transcripts = _transcripts(run, entry.key)
                known[entry.key] = bool(transcripts) or role is AgentRole.ORCHESTRATOR
                for path in transcripts:
                    shown.extend(_attempt(number, role, prompt, path))
    return Spent(shown=tuple(shown), untold=list(known.values()).count(False))


def _attempt(number: int, role: AgentRole, prompt: str, path: str) -> Iterator[Shown]:
    """Yield the prints of one attempt's transcript. Each attempt starts with an empty context."""
    context = Context()
    context.add(prompt)
    for each in read(path):
        yield _print(number, role, each, context)


def _transcripts(run: str, key: str) -> list[str]:
    """Return the transcripts of all attempts of an agent."""
    return sorted(glob.glob(os.path.join(glob.escape(run), "agents", f"{glob.escape(key)}-*{TRANSCRIPTS}")))


def _prompt(path: str) -> str:
    """Return the prompt of an attempt; empty if its file is missing."""
    with suppress(OSError):
        return read_whole(path, LARGEST).decode(errors="replace")
    return ""


def _print(agent: int, role: AgentRole, printed: Print, context: Context) -> Shown:
    text, header = printed.text, header_of(printed.text)
    return Shown(
        agent=agent,
        role=role,
        kind=TextKind.PAGE if header else TextKind.REPLY,
        name=header.script if header else printed.name,
        step=header.step if header else 0,
        title=header.title if header else "",
        characters=len(text),
        repeated=context.add(text),
    )
