"""Cost of `stepscript list` as a whole process, in a pipe and in a terminal."""

import os
import pty
import subprocess
import sys
from collections.abc import Callable

from benchmarks.measure import Target, judge, medians, report
from benchmarks.starts import compiled, process

ROUNDS = 30
MOST = 2.5
BRIEF = "python3 -c 'import rich, attrs'"
STEPSCRIPT = os.path.join(os.path.dirname(sys.executable), "stepscript")

FIRST = f"import os; os.environ['XDG_CACHE_HOME'] = '/dev/null'; os.execv({STEPSCRIPT!r}, [{STEPSCRIPT!r}, 'list'])"
"""A list without a folder for its cache. Costs a bare Python more."""


def in_a_terminal(*words: str) -> Callable[[], object]:
    """Return a run of `stepscript` whose output is a terminal with colours."""
    environment = {**os.environ, "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)

    def run() -> None:
        reader, terminal = pty.openpty()
        with subprocess.Popen([STEPSCRIPT, *words], stdout=terminal, cwd="/", env=environment) as child:
            os.close(terminal)
            try:
                while os.read(reader, 65536):
                    pass
            except OSError:  # a terminal reports like this that nobody writes to it any more
                pass
            os.close(reader)
        assert child.returncode == 0

    return run


def main() -> bool:
    """Print the table and return True if the targets are met."""
    compiled()
    contenders = {
        BRIEF: process(("-I", "-c", "import rich, attrs")),
        "stepscript list": process((STEPSCRIPT, "list")),
        "stepscript list, in a terminal": in_a_terminal("list"),
        "stepscript, its first list, nothing kept": process(("-c", FIRST)),
        "stepscript --help": process((STEPSCRIPT, "--help")),
        "stepscript step problem-analysis 1": process((STEPSCRIPT, "step", "problem-analysis", "1")),
    }
    seconds = medians(contenders, ROUNDS)
    report(f"stepscript as a process, median of {ROUNDS} interleaved runs", seconds, 1e-3, "ms")
    return judge(seconds, *(Target(name, MOST, BRIEF) for name in contenders if name.startswith("stepscript list")))
