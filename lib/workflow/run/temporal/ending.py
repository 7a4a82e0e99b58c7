"""The end of a run and its latest events, in the run's folder: they outlive the server's retention.

The host writes them before the run ends. So the status, the logs and the end of a run that has ended need no server.
"""

import os
from typing import Final

from attrs import evolve

from ...codec import codec
from ...state.files import PRIVATE, read_whole, replace_whole
from ..journal.journal import Event
from ..journal.projection import FINAL
from .wire import Ending, Heard

FILE: Final = "ended.json"
MAX_SIZE: Final = 16 << 20


def write_ending(run: str, ending: Ending) -> None:
    """Write the end of the run into its folder. Raises OSError."""
    replace_whole(os.path.join(run, FILE), codec(Ending).dumps(ending).encode(errors="replace"), PRIVATE)


def read_ending(run: str) -> Ending | None:
    """Return the last end of the run in a folder, or None. A run that stopped may have gone on since."""
    try:
        return codec(Ending, lenient=True).loads(read_whole(os.path.join(run, FILE), MAX_SIZE))
    except (OSError, ValueError):
        return None


def final_ending(run: str) -> Ending | None:
    """Return the end of a run that cannot go on, or None."""
    ending = read_ending(run)
    return ending if ending is not None and ending.heard.account.halt in FINAL else None


def heard_at_end(run: str, halt: Event, since: int) -> Heard | None:
    """Return the events after the first `since` of the run in a folder that ended so; None if it has no such end."""
    ending = read_ending(run)
    if ending is None or ending.heard.account.halt is not halt:
        return None
    heard = ending.heard
    return evolve(heard, entries=heard.entries[-max(heard.count - since, 0) :] if heard.count > since else ())
