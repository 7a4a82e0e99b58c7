"""The rules of `wording.txt`, by their first words.

No pattern repeats without bound (`*`, `+` and `{n,}` are refused), and each is tried only at its own words. So the time
per word is bounded, and that for a text is proportional to its length.
"""

import os
import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

from lib.workflow.errors import WorkflowError
from lib.workflow.prompts.markdown import read_text

from .kinds import Kind

PATH: Final = os.path.join(os.path.dirname(__file__), "wording.txt")
_SECTION: Final = re.compile(r"\[(\w+) (\w+)\]")
_NAME: Final = re.compile(r"<(\w+)>")
_UNBOUND: Final = re.compile(r"(?<!\\)(?:[*+]|\{\d*,\})")


class Where(StrEnum):
    """The positions at which a rule's words count."""

    ANY = "any"
    OPENING = "opening"
    PLAIN = "plain"


class Rule(NamedTuple):
    """The text that must follow a word."""

    kind: Kind
    where: Where
    then: re.Pattern[str]


@cache
def rules(path: str = PATH) -> Mapping[str, tuple[Rule, ...]]:
    """Return the rules by their words. Raises WorkflowError, with file and line, for an invalid line."""
    names: dict[str, str] = {}
    found: dict[str, list[Rule]] = {}
    section: tuple[Kind, Where] | None = None
    for number, line in enumerate(read_text(path).split("\n"), 1):
        words, separator, then = line.partition(" ::")
        name, equals, pattern = line.partition(" = ")
        try:
            if not line.strip() or line.startswith("#"):
                continue
            if head := _SECTION.fullmatch(line):
                section = Kind(head[1]), Where(head[2])
            elif section is None and equals:
                names[name] = pattern
            elif section and separator:
                rule = Rule(*section, _compiled(then, names))
                for word in _NAME.sub(lambda found: names[found[1]].replace("|", " "), words).split():
                    found.setdefault(word, []).append(rule)
            else:
                raise ValueError("it is neither `name = pattern`, `[kind where]` nor `words :: pattern`")
        except (ValueError, KeyError, re.error) as error:
            raise WorkflowError(f"{path}:{number}: {error}") from None
    return MappingProxyType({word: tuple(held) for word, held in found.items()})


def _compiled(pattern: str, names: Mapping[str, str]) -> re.Pattern[str]:
    whole = _NAME.sub(lambda found: f"(?:{names[found[1]]})", pattern)
    if _UNBOUND.search(whole):
        raise ValueError(f"{whole!r:.60} repeats without a limit; write {{0,6}} or the like")
    return re.compile(whole, re.IGNORECASE)
