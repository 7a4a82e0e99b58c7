"""A case as a process, with damaged streams."""

import os
import random
import subprocess
import sys
from typing import Final

from lib.workflow.testing.process import Ran
from tests.fuzz.lines import Line
from tests.subjects import ROOT

STREAMS: Final = ("", ">&-", ">/dev/full", "2>&-", "2>/dev/full", "<&-", "<&- >&- 2>&-", "| head -c 1 >/dev/null")
UNTOLD: Final = frozenset({"wrong usage that nobody reports", "a refusal without a word"})
"""Faults that do not count for a process whose streams nobody reads."""


def as_process(line: Line) -> Ran:
    """Run the line as a process in a shell that closes, fills or breaks a stream, chosen by the line."""
    streams = random.Random(repr(line)).choice(STREAMS)
    command = ["/bin/sh", "-c", f'"$@" {streams}', "sh", sys.executable, "-P", *line.start, *line.words]
    came = subprocess.run(
        command, capture_output=True, input=line.given, env={**os.environ, "PYTHONPATH": ROOT}, check=False
    )
    return Ran(came.returncode, came.stdout.decode(errors="replace"), came.stderr.decode(errors="replace"))
