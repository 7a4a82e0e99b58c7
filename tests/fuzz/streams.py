"""A case as a process, with something done to its streams."""

import os
import random
import subprocess
import sys
from typing import Final

from lib.workflow.testing.process import Ran
from tests.fuzz.lines import Line
from tests.subjects import ROOT

STREAMS: Final = ("", ">&-", ">/dev/full", "2>&-", "2>/dev/full", "<&-", "<&- >&- 2>&-", "| head -c 1 >/dev/null")
UNTOLD: Final = frozenset({"wrong usage that nobody is told of", "a refusal without a word"})
"""What is no fault of a process whose streams nobody reads."""


def as_process(line: Line) -> Ran:
    """The line as a process, by a shell that closes, fills or breaks a stream; which, the line decides."""
    streams = random.Random(repr(line)).choice(STREAMS)
    command = ["/bin/sh", "-c", f'"$@" {streams}', "sh", sys.executable, "-P", *line.start, *line.words]
    came = subprocess.run(
        command, capture_output=True, input=line.given, env={**os.environ, "PYTHONPATH": ROOT}, check=False
    )
    return Ran(came.returncode, came.stdout.decode(errors="replace"), came.stderr.decode(errors="replace"))
