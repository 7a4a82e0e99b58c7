"""`python3 -m skills.incoherence.state --state-dir DIR COMMAND`: reads and changes the state of a run."""

from collections.abc import Sequence

from lib.workflow.cli.table.run import main as run


def main(words: Sequence[str] | None = None) -> int:
    """Read and change the state of a search for contradictions."""
    return run("skills.incoherence.commands.table", words, by_word=words is not None)


if __name__ == "__main__":
    raise SystemExit(main())
