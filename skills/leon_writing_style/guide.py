"""The guide of a voice: a Markdown file in parts, checked whole before any text is written with it."""

import os
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from lib.workflow.errors import RefusedError
from lib.workflow.prompts.markdown import spans
from lib.workflow.util.characters import canonical
from lib.workflow.util.suggest import expected

SHIPPED: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "guide.md")
"""The example, used if no guide is named."""
MAX_BYTES: Final = 64 * 1024
MAX_NAME: Final = 80
"""Most characters of the voice's name."""


class Part(NamedTuple):
    """The part below one heading of a guide."""

    heading: str
    holds: str
    """The content to write there."""
    most: int
    """Most characters, so that clients show every step that prints it in full."""
    letter: str = ""
    """The prefix of its list items' ids: `R1`, `R2`, … Without one it is prose."""
    least: int = 1
    """Fewest items of a list, or words of prose."""
    needed: bool = True


PARTS: Final = (
    Part("Voice", "who speaks, to whom, in which temper: a few sentences", 800, least=10),
    Part("Rules", "what every text in this voice keeps to, one rule an item", 2000, "R", 3),
    Part("Marks", "what such a text does now and then, and by which it is recognised, one mark an item", 1500, "M", 3),
    Part("Samples", "finished passages in this voice", 3000, least=80),
    Part("Avoid", "what this voice never does, one thing an item", 1000, "A", needed=False),
    Part("Forms", "what it wants of kinds of text, one kind an item", 1000, "K", needed=False),
)


class Guide(NamedTuple):
    """A guide that has every part it needs."""

    voice: str
    """The name of the voice."""
    parts: Mapping[str, str]
    """The parts by heading. Lists have an id before each item; a missing part is empty."""


def read_guide(path: str) -> Guide:
    """Return the guide in a file. Raises RefusedError, with everything that is missing and what to write there."""
    lines = _read(path).split("\n")
    faults: list[str] = []
    found: dict[str, list[str]] = {}
    legal = [part.heading for part in PARTS]
    for start, end in spans(lines):
        heading = lines[start][2:].strip()
        if heading not in legal:
            faults.append(f"line {start + 1}: `## {heading:.60}` is not a part of a guide; {expected(heading, legal)}")
        elif heading in found:
            faults.append(f"line {start + 1}: duplicate `## {heading}`; join the two")
        else:
            found[heading] = lines[start + 1 : end]
    voice = next((line[2:].strip().removeprefix("Voice:").strip() for line in lines if line.startswith("# ")), "")
    if not 0 < len(voice) <= MAX_NAME:
        faults.append(f"a line `# Voice: name` is missing, or the name has more than {MAX_NAME} characters")
    parts: dict[str, str] = {}
    for part in PARTS:
        parts[part.heading], wrong = _part(part, found.get(part.heading))
        faults += wrong
    if faults:
        fix = f"Fix the guide and run the same command again. A guide that has every part is {SHIPPED}"
        raise RefusedError("incomplete-guide", path, "\n".join(faults), fix)
    return Guide(voice, MappingProxyType(parts))


def _part(part: Part, lines: Sequence[str] | None) -> tuple[str, list[str]]:
    """Return the text of a part, and its faults."""
    if lines is None:
        return "", [f"`## {part.heading}` is missing; write it: {part.holds}"] if part.needed else []
    wrong = [f"`## {part.heading}`: {line!r:.60} is not an item; start each with `- `" for line in _strays(part, lines)]
    text, count = _numbered(part, lines) if part.letter else _prose(lines)
    if count < part.least:
        what = "items" if part.letter else "words"
        wrong.append(f"`## {part.heading}` has {count} {what}, fewer than {part.least}; write {part.holds}")
    if len(text) > part.most:
        wrong.append(f"`## {part.heading}` has {len(text):,} characters with its ids; shorten it to {part.most:,}")
    return text, wrong


def _strays(part: Part, lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a list that belong to no item."""
    begun = False
    for line in lines if part.letter else ():
        begun = begun or line.startswith("- ")
        if line.strip() and not line.startswith("- ") and not (begun and line.startswith("  ")):
            yield line


def _numbered(part: Part, lines: Sequence[str]) -> tuple[str, int]:
    count = 0
    shown: list[str] = []
    for line in lines:
        if line.startswith("- ") and line[2:].strip():
            count += 1
            shown.append(f"{part.letter}{count}  {line[2:].strip()}")
        elif line.strip():
            shown.append(f"    {line.strip()}")
    return "\n".join(shown), count


def _prose(lines: Sequence[str]) -> tuple[str, int]:
    text = "\n".join(lines).strip()
    return text, len(text.split())


def _read(path: str) -> str:
    """Return the text of a file. Raises RefusedError if it is missing or not text."""
    fix = f"Name a Markdown file with `--guide`, or write one: a copy of {SHIPPED}, with its parts in your voice"
    try:
        if not os.path.exists(path):
            raise ValueError("the file does not exist")
        if not os.path.isfile(path):
            raise ValueError("it is not a file")
        if os.path.getsize(path) > MAX_BYTES:
            raise ValueError(f"the file has more than {MAX_BYTES:,} bytes")
        with open(path, encoding="utf-8") as file:
            return canonical(file.read().removeprefix("\ufeff"), "the file")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise RefusedError("no-guide", path, reason, fix) from None
