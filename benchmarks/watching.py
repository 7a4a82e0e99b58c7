"""Cost of `stepscript runs` and `status` in a project with many long runs, compared with the start of Python."""

import os
import tempfile
from itertools import cycle, islice

from benchmarks.listing import STEPSCRIPT
from benchmarks.measure import Target, judge, medians, report
from benchmarks.starts import compiled, process
from lib.workflow.codec import codec
from lib.workflow.command import Command
from lib.workflow.run.journal.entry import Entry, Event, line_of, stamped
from lib.workflow.run.journal.journal import JOURNAL
from lib.workflow.run.journal.mark import mark
from lib.workflow.run.journal.spec import Session, Spec
from lib.workflow.state.run_dirs import new_name

RUNS, LINES, ROUNDS = 500, 5_000, 15
MOST = 8.5
"""150 ms where Python starts in 17.6 ms."""
BARE = "python3 -I -c pass"
START = str(Command("skills.problem_analysis.analyze", ("--step", "1")))
STEP = Entry(event=Event.STEP, key="1", who="problem-analysis 3/5 Investigate", text="a page\n" * 20, command=START)
WORK = Entry(event=Event.ATTEMPT, key="1.1", who="explore", number=1, command=START)
REPLY = Entry(event=Event.REPLIED, key="1.1", who="explore", number=1, text="a reply")


def made(project: str, runs: int = RUNS, lines: int = LINES) -> None:
    """Make the runs of a project, all the user's own."""
    rest = "".join(f"{line_of(stamped(entry))}\n" for entry in islice(cycle((STEP, WORK, REPLY)), lines - 1))
    for number in range(runs):
        run = os.path.join(project, ".stepscript", "runs", new_name(number.to_bytes(2, "big")), "driver")
        os.makedirs(run)
        spec = Spec(workflow="problem-analysis", start=START, agent="true", request=f"It hung {number} times")
        session = Session(folder=os.path.dirname(run))
        first = line_of(stamped(Entry(event=Event.BEGUN, number=1, text=codec(Spec).dumps(spec), session=session)))
        with open(os.path.join(run, JOURNAL), "w", encoding="utf-8") as file:
            file.write(f"{first}\n{rest}")
        mark(run, spec)


def main() -> bool:
    """Print the table and return True if the targets are met."""
    compiled()
    with tempfile.TemporaryDirectory(prefix="stepscript-") as project:
        made(project)
        contenders = {
            BARE: process(("-I", "-c", "pass")),
            "stepscript --version": process((STEPSCRIPT, "--version")),
            "stepscript runs": process((STEPSCRIPT, "runs"), project),
            "stepscript status": process((STEPSCRIPT, "status"), project),
        }
        seconds = medians(contenders, ROUNDS)
    report(f"{RUNS} runs of {LINES:,} lines, median of {ROUNDS} interleaved runs", seconds, 1e-3, "ms")
    return judge(seconds, *(Target(name, MOST, BARE) for name in ("stepscript runs", "stepscript status")))


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
