"""Reader of the reference: `python3 -m skills.prompt_engineer.techniques [KIND or ID …]`.

An id gives the entry, a kind the ids and titles of its techniques; without a word, those of all kinds.
"""

from collections.abc import Sequence

from lib.workflow.cli.tool import run
from lib.workflow.errors import UsageError
from lib.workflow.util.suggest import expected

from .reference import Kind, Technique, read_techniques, table


def accepts(words: Sequence[str]) -> tuple[Kind | Technique, ...]:
    """Return the kinds and techniques that the words name. Raises UsageError for an unknown word."""
    known: dict[str, Kind | Technique] = {technique.id: technique for technique in read_techniques()}
    known.update({kind.value: kind for kind in Kind})
    unknown = [word for word in words if word not in known]
    if unknown:
        raise UsageError(f"{unknown[0]!r:.60} is neither a technique nor a kind; {expected(unknown[0], known)}")
    return tuple(known[word] for word in words)


def printed(words: Sequence[str]) -> str:
    """Return the entries that the words name, one after another; without words, the table of all."""
    return "\n\n".join(map(_shown, accepts(words))) or table(*Kind)


def _shown(item: Kind | Technique) -> str:
    return table(item) if isinstance(item, Kind) else f"## {item.id}: {item.title}\n\n{item.text}"


if __name__ == "__main__":
    raise SystemExit(run("skills.prompt_engineer.techniques", printed, __doc__))
