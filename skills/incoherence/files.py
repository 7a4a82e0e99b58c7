"""The state file of a run, `incoherence.json` in its state directory."""

import os

from lib.workflow.codec import codec
from lib.workflow.store import Store

from .record import Run


def run_store(state_dir: str) -> Store[Run]:
    """The file of a run."""
    path = os.path.join(os.path.abspath(state_dir), "incoherence.json")
    return Store(path, codec(Run), remedy="begin the run with `survey`, as its first step says", check=Run.check)
