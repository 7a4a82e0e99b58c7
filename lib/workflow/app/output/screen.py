"""Output for people: styled by rich on a terminal with colours, plain text anywhere else."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, TextIO, TypeAlias
from unicodedata import combining, east_asian_width

from ...util.characters import on_a_screen, visible
from ...util.documents import json_text
from ...util.output import drop, on_a_terminal
from ...util.plurals import count as count

if TYPE_CHECKING:
    from rich.console import Console

Part: TypeAlias = str | tuple[str, str]
"""A text, or a text with a rich style."""
WIDEST: Final = 100
"""Maximum columns of prose."""
ENDLESS: Final = 1_000_000
"""Columns without a terminal: a program must get paths, commands and names in one piece."""


def out() -> "Screen":
    """Return standard output."""
    return Screen(sys.stdout)


def err() -> "Screen":
    """Return standard error, for prose beside a document that a program reads."""
    return Screen(sys.stderr)


class Screen:
    """One stream. Texts cannot act on the terminal, and are never markup."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.width = _width(stream)
        self.colours = _has_colours(stream)

    def line(self, *parts: Part) -> None:
        """Print one line of any length: a command is never broken."""
        self._print("".join(self._styled(part) for part in parts))

    def text(self, text: str) -> None:
        """Print a document unchanged; on a terminal, with control characters escaped."""
        self._print(on_a_terminal(text) if self.stream.isatty() else text)

    def _print(self, line: str) -> None:
        try:
            print(line, file=self.stream)
        except OSError:
            if self.stream is not sys.stderr:
                raise
            drop(self.stream)  # a lost message must not change the result

    def paragraph(self, text: str, indent: int = 0) -> None:
        """Print a text in lines that fit, each indented."""
        for line in _wrapped(on_a_screen(text), max(self.width - indent, 20)):
            self.line(f"{' ' * indent}{line}")

    def table(self, heads: Sequence[str], rows: Iterable[Sequence[str]], whole: int = 0) -> None:
        """Print columns under their heads; long texts are wrapped in their column, except in the first `whole` ones."""
        if self.width == ENDLESS:
            for line, is_head in _columns(heads, rows):
                self.line((line, "dim" if is_head else ""))
            return
        from rich.table import Column, Table
        from rich.text import Text

        columns = [Column(head, overflow="fold", no_wrap=number < whole) for number, head in enumerate(heads)]
        table = Table(*columns, box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
        for row in rows:
            table.add_row(*(Text("\n".join(map(visible, text.split("\n")))) for text in row))
        console = self.console()
        with console.capture() as drawn:
            console.print(table)
        for line in drawn.get().splitlines():
            self._print(line.rstrip())  # rich fills every column to its width

    def finding(self, whose: str, where: str, what: str) -> None:
        """Print a finding: its owner and place, and the text in lines below."""
        self.line((whose, "bold red"), f"  {where}".rstrip())
        for line in what.split("\n"):
            self.paragraph(line, indent=2)

    def error(self, text: str) -> None:
        """Print an error; lines after the first are indented."""
        label = "stepscript: "
        lines = [part for line in (label + text).split("\n") for part in _wrapped(on_a_screen(line), self.width - 2)]
        self.line((label, "bold red"), lines[0].removeprefix(label))
        for line in lines[1:]:
            self.line(f"  {line}")

    def _styled(self, part: Part) -> str:
        text, style = (part, "") if isinstance(part, str) else part
        if not (self.colours and style):
            return visible(text)
        from rich.style import Style  # a smaller import than a console

        return Style.parse(style).render(visible(text))

    def console(self, terminal: bool = False) -> "Console":
        """Return the rich console for tables; a terminal without colours may still redraw a line."""
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


def _columns(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[tuple[str, bool]]:
    """Yield the lines of a table whose columns are as wide as their longest line, and True for the heads."""
    cells = [[text.split("\n") for text in row] for row in (heads, *rows)]
    widths = [max(_wide(line) for cell in column for line in cell) for column in zip(*cells, strict=True)]
    for number, row in enumerate(cells):
        for parts in zip_longest(*row, fillvalue=""):
            padded = (part + " " * (width - _wide(part) + 2) for part, width in zip(parts, widths, strict=True))
            yield "".join(padded).rstrip(), number == 0


def _wide(text: str) -> int:
    """Return the columns of a text on a terminal."""
    shown = visible(text)
    if shown.isascii():
        return len(shown)
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in shown)


def _wrapped(line: str, width: int) -> list[str]:
    if line and len(line) <= width and line.isprintable() and not line.endswith(" "):
        return [line]
    from textwrap import wrap  # most output is not wrapped

    return wrap(line, width, break_long_words=False, break_on_hyphens=False)


def _width(stream: TextIO) -> int:
    """Return the columns: on a terminal those of COLUMNS, else its own, else 80; without limit anywhere else."""
    if not stream.isatty():
        return ENDLESS
    try:
        said = os.environ.get("COLUMNS")
        columns = int(said) if said else os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        columns = 0
    return min(columns if columns > 0 else 80, WIDEST)


def _has_colours(stream: TextIO) -> bool:
    """Return True if the stream shows colours, and they are allowed (https://no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") not in (None, "dumb"))


def moment(at: str, length: int = 19) -> str:
    """Return a time of a journal for people, in UTC: `2025-12-31 23:59:59Z`, or its first part."""
    return f"{at[:10]} {at[11:length]}Z" if at else "-"


def clock(seconds: float) -> str:
    """Return a duration: `4:05`, or `2:04:05` with hours."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}" if minutes >= 60 else f"{minutes}:{rest:02d}"


def emit(fields: Mapping[str, object], one_line: bool = False) -> None:
    """Print a JSON object on standard output, for programs. The arguments are those of `json_text`."""
    emit_line(json_text(fields, one_line))


def emit_line(text: str) -> None:
    """Print JSON text at once."""
    print(text)
    sys.stdout.flush()
