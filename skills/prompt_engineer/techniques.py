"""Entries of the reference: `python3 -m skills.prompt_engineer.techniques [ID …]`; without an id, the table of all."""

from collections.abc import Sequence

from lib.workflow.errors import UsageError
from lib.workflow.suggest import expected
from lib.workflow.tool import run

from .reference import Technique, read_techniques, table


def accepts(words: Sequence[str]) -> tuple[Technique, ...]:
    """The techniques that the words name. Raises UsageError for a word that names none."""
    known = {technique.id: technique for technique in read_techniques()}
    unknown = [word for word in words if word not in known]
    if unknown:
        raise UsageError(f"{unknown[0]!r:.60} is no technique; {expected(unknown[0], known)}")
    return tuple(known[word] for word in words)


def printed(words: Sequence[str]) -> str:
    """The entries that the words name, whole; the table where there are none."""
    return "\n\n".join(f"## {item.id}: {item.title}\n\n{item.text}" for item in accepts(words)) or table()


if __name__ == "__main__":
    raise SystemExit(run("skills.prompt_engineer.techniques", printed, __doc__))
