"""Cost of a step as a whole process, and its largest parts."""

import compileall
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import count

from benchmarks.measure import Target, children, judge, medians, report
from skills.planner.next_step import EXEC_INIT
from skills.planner.orchestrator.executor import WORKFLOW
from skills.planner.staging import begin

ROUNDS = 40
MOST = {"a step": 4.9, "planner": 7.2, "executor": 8.1}
STEP = ("-m", "skills.problem_analysis.analyze", "--step")
PLANNER = ("-m", "skills.planner.orchestrator.planner", "--step", "1", "--task", "x", "--state-dir")
EXECUTOR = ("-m", "skills.planner.orchestrator.executor", "--step", "1", "--state-dir")
PROCESSES = {
    "python3 -c pass": ("-c", "pass"),
    "python3 -c 'import attrs'": ("-I", "-c", "import attrs"),
    "a step (problem-analysis, step 1)": ("-I", *STEP, "1"),
    "a step with branches (step 3)": ("-I", *STEP, "3"),
    "a step as plain text": ("-I", *STEP, "1", "--format", "text"),
}


def process(arguments: tuple[str, ...], folder: str = "/") -> Callable[[], object]:
    """Return a run of the interpreter in a folder, with its output dropped."""
    command = [sys.executable, *arguments]
    return lambda: subprocess.run(command, stdout=subprocess.DEVNULL, cwd=folder, check=True)


def compiled() -> None:
    """Compile our packages, as installed ones are; otherwise every start would."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for package in ("lib", "skills"):
        compileall.compile_dir(os.path.join(root, package), quiet=1)


def main() -> bool:
    """Print the table and return True if the targets are met."""
    compiled()
    with tempfile.TemporaryDirectory() as folder:
        begun, fresh = os.path.join(folder, "run"), (os.path.join(folder, str(number)) for number in count())
        processes = {name: process(arguments) for name, arguments in PROCESSES.items()}
        processes["planner, step 1, a new run"] = lambda: process(("-I", *PLANNER, next(fresh)))()
        processes["planner, step 1, a run that has begun"] = process(("-I", *PLANNER, begun))
        approved = os.path.join(folder, "approved")
        os.mkdir(approved)
        begin(WORKFLOW, EXEC_INIT, approved)
        processes["executor, step 1"] = process(("-I", *EXECUTOR, approved))
        seconds = medians(processes, ROUNDS, children)
    report(f"Processor time of a step as a process, median of {ROUNDS} interleaved runs", seconds, 1e-3, "ms")
    targets = [
        Target(name, MOST[kind], "python3 -c pass") for kind in MOST for name in seconds if name.startswith(kind)
    ]
    return judge(seconds, *targets)
