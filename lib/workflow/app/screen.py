"""What people read: styled by rich on a terminal with colours, the same words as plain text anywhere else."""

import os
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, TextIO, TypeAlias

from ..util.characters import on_a_screen, plain_json, visible
from ..util.output import drop, on_a_terminal

if TYPE_CHECKING:
    from rich.console import Console

Part: TypeAlias = str | tuple[str, str]
"""A text, or a text and its style in the words of rich."""
WIDEST: Final = 100
"""Columns of prose on a screen that has more."""
ENDLESS: Final = 1_000_000
"""Columns of what is no terminal: a program that reads a path, a command or a name gets it in one piece."""


def out() -> "Screen":
    """Standard output."""
    return Screen(sys.stdout)


def err() -> "Screen":
    """Standard error: prose beside a document that a program reads."""
    return Screen(sys.stderr)


class Screen:
    """One stream. Nothing in a text can act on the terminal, and none is markup."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.width = _width(stream)
        self.colours = _has_colours(stream)

    def line(self, *parts: Part) -> None:
        """One line, however long: a command is never broken."""
        self._print("".join(self._styled(part) for part in parts))

    def text(self, text: str) -> None:
        """A document as it is; on a terminal, with escapes for what that would act on."""
        self._print(on_a_terminal(text) if self.stream.isatty() else text)

    def _print(self, line: str) -> None:
        try:
            print(line, file=self.stream)
        except OSError:
            if self.stream is not sys.stderr:
                raise
            drop(self.stream)  # what is said beside the result is lost, and changes nothing

    def paragraph(self, text: str, indent: int = 0) -> None:
        """A text in lines that fit, each with the indentation."""
        for line in _wrapped(on_a_screen(text), max(self.width - indent, 20)):
            self.line(f"{' ' * indent}{line}")

    def table(self, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Columns under their heads; a text that is too wide for its column is wrapped there."""
        from rich.table import Column, Table
        from rich.text import Text

        columns = [Column(head, overflow="fold") for head in heads]
        table = Table(*columns, box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
        for row in rows:
            table.add_row(*(Text("\n".join(map(visible, text.split("\n")))) for text in row))
        console = self.console()
        with console.capture() as drawn:
            console.print(table)
        for line in drawn.get().splitlines():
            self._print(line.rstrip())  # rich fills every column to its width

    def finding(self, whose: str, where: str, what: str) -> None:
        """Something that is wrong: whose, where, and what, in lines below."""
        self.line((whose, "bold red"), f"  {where}".rstrip())
        for line in what.split("\n"):
            self.paragraph(line, indent=2)

    def error(self, text: str) -> None:
        """What went wrong; what stands below its first line is indented."""
        label = "stepscript: "
        lines = [part for line in (label + text).split("\n") for part in _wrapped(on_a_screen(line), self.width - 2)]
        self.line((label, "bold red"), lines[0].removeprefix(label))
        for line in lines[1:]:
            self.line(f"  {line}")

    def _styled(self, part: Part) -> str:
        text, style = (part, "") if isinstance(part, str) else part
        if not (self.colours and style):
            return visible(text)
        from rich.color import ColorSystem  # less to import than a console
        from rich.style import Style

        return Style.parse(style).render(visible(text), color_system=ColorSystem.STANDARD)

    def console(self, terminal: bool = False) -> "Console":
        """What rich prints tables with; on a terminal without colours it may still draw a line anew."""
        from rich.console import Console

        return Console(
            file=self.stream,
            force_terminal=terminal or self.colours,
            no_color=not self.colours,
            width=self.width,
            markup=False,
            highlight=False,
            emoji=False,
        )


def _wrapped(line: str, width: int) -> list[str]:
    return textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)


def _width(stream: TextIO) -> int:
    """The columns to fill: on a terminal what COLUMNS says, else what it has, else 80; without end elsewhere."""
    if not stream.isatty():
        return ENDLESS
    try:
        said = os.environ.get("COLUMNS")
        columns = int(said) if said else os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        columns = 0
    return min(columns if columns > 0 else 80, WIDEST)


def _has_colours(stream: TextIO) -> bool:
    """Whether the stream shows colours, and may (https://no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") not in (None, "dumb"))


def count(number: int, noun: str) -> str:
    """`1 step`, `2 steps`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def emit(document: object) -> None:
    """A JSON document on standard output, for programs."""
    import json

    print(plain_json(json.dumps(document, ensure_ascii=False, indent=2)))
