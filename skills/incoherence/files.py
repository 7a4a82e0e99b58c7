"""The state file of a run, `incoherence.json` in its state directory."""

import os
from typing import TYPE_CHECKING

from lib.workflow.codec import codec
from lib.workflow.state.store import Store

if TYPE_CHECKING:
    from .record import Run


def run_store(state_dir: str) -> "Store[Run]":
    """Return the store of a run."""
    from .record import Run

    path = os.path.join(os.path.abspath(state_dir), "incoherence.json")
    return Store(path, codec(Run), remedy="start the run with `survey`, as its first step says", check=Run.check)
