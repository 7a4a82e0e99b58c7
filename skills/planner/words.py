"""The planner's commands of `stepscript`. Without `--state-dir` they mean this project's current run."""

from collections.abc import Sequence
from typing import Final

from lib.workflow.cli.table.run import main
from lib.workflow.errors import RefusedError

from .queries.runs import newest
from .resume import main as resume

STATE_DIR: Final = "--state-dir"
HELP: Final = frozenset({"-h", "--help"})


def plan(words: Sequence[str]) -> int:
    """Read and change the plan of a run."""
    return main("skills.planner.commands.plan_table", of_a_run(words), by_word=True)


def review(words: Sequence[str]) -> int:
    """Read and change the review of a phase."""
    return main("skills.planner.commands.review_table", of_a_run(words), by_word=True)


def next_step(words: Sequence[str]) -> int:
    """Print the next command of a run, the reason, and the rules for every step."""
    return resume(words, "stepscript next")


def of_a_run(words: Sequence[str]) -> Sequence[str]:
    """Return the words of a command with its run: the named one, else the user's last changed one in this project.

    Without an unfinished run they are unchanged, and the command says what is missing.
    """
    if not HELP.isdisjoint(words) or any(word.partition("=")[0] == STATE_DIR for word in words):
        return words
    try:
        return (STATE_DIR, newest().state_dir, *words)
    except RefusedError:
        return words
