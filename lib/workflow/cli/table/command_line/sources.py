"""Files that a command line names, read within limits; standard input can be read for one value."""

from collections.abc import Iterator
from typing import Final

from ....arguments.stdin import read_input
from ....codec import MAX_SIZE, parsed, text_of


class Source:
    """A reader of files. Every method raises ValueError, which names the file."""

    def __init__(self) -> None:
        self._spent = False

    def text(self, name: str) -> str:
        """Read the text of a file, without the line break at its end; `-` is standard input."""
        try:
            text = text_of(self._bytes(name))
        except UnicodeDecodeError as error:
            raise ValueError(f"{_shown(name)}: is not UTF-8 at byte {error.start}") from None
        return text.removesuffix("\n")

    def json(self, name: str) -> object:
        """Parse the JSON of a file, which an agent wrote by hand."""
        data = self._bytes(name)
        try:
            return parsed(data, typed=True)
        except ValueError as error:
            raise ValueError(f"{_shown(name)}: {error}") from None

    def _bytes(self, name: str) -> bytes:
        try:
            if name != "-":
                with open(name, "rb") as file:
                    data = file.read(MAX_SIZE + 1)
            elif self._spent:
                raise ValueError("another value already reads standard input; name a file")
            else:
                self._spent = True
                data = read_input(MAX_SIZE)
        except OSError as error:
            raise ValueError(f"{name}: {error.strerror}") from None
        if len(data) > MAX_SIZE:
            raise ValueError(f"{_shown(name)}: has more than {MAX_SIZE:,} bytes")
        return data


MARK: Final = "- "
"""Prefix of a list item."""


def items_of(text: str) -> Iterator[str]:
    """Yield the items of a text, one per line.

    A line that begins with `- ` is an item without that mark. A line that begins with two blanks continues the item
    above it. Other lines are items too; blank lines between items are skipped.
    """
    item: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if item and (line.startswith("  ") or not line.strip()):
            item.append(line.removeprefix("  "))
            continue
        if item:
            yield "\n".join(item).rstrip("\n")
        item = [line.removeprefix(MARK)] if line.strip() else []
    if item:
        yield "\n".join(item).rstrip("\n")


def _shown(name: str) -> str:
    return "standard input" if name == "-" else name
