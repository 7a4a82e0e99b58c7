"""`python3 -m skills.planner.cli.plan --state-dir DIR COMMAND`: reads and changes the plan of a run."""

from collections.abc import Sequence

from lib.workflow.cli.table.run import main as run


def main(words: Sequence[str] | None = None) -> int:
    """Read and change the plan of a run."""
    return run("skills.planner.commands.plan_table", words)


if __name__ == "__main__":
    raise SystemExit(main())
