"""`python -m tests.databases.stuck FOLDER [step]`: starts a change of `tally.json`, or a step, and never ends it."""

import sys
import time
from pathlib import Path
from typing import NoReturn

from lib.workflow.command import Command
from lib.workflow.state.step_lock import one_at_a_time
from tests.tally import Tally, store_at


def stay(_: object = None) -> NoReturn:
    sys.stdout.write("changing\n")
    sys.stdout.flush()
    time.sleep(600)
    raise AssertionError("nobody has killed it")


def change(tally: Tally) -> tuple[Tally, None]:
    return stay(tally)


if __name__ == "__main__":
    if sys.argv[2:]:
        with one_at_a_time(sys.argv[1], Command("skills.planner.orchestrator.planner")):
            stay()
    store_at(Path(sys.argv[1], "tally.json")).change(change)
