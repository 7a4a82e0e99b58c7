"""`python3 -m skills.planner.cli.qr --state-dir DIR --qr-phase PHASE COMMAND`: reads and changes a review."""

from collections.abc import Sequence

from lib.workflow.cli.table.run import main as run


def main(words: Sequence[str] | None = None) -> int:
    """Read and change the review of a phase."""
    return run("skills.planner.commands.review_table", words)


if __name__ == "__main__":
    raise SystemExit(main())
