"""The argparse parsers of a table. They collect the words of a command line; `line` reads them."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, TypeVar

from ....errors import UsageError
from ....types import AgentRole
from ....util.suggest import expected, nearest
from ...parser import Help, Parser
from ..arguments import Argument, How
from ..rows import BATCH, Row, Table
from .help import EDITS, of_batch, of_command, of_table
from .spellings import PAIR, Parsed, spellings

H = TypeVar("H")


def parsed(table: Table[H], words: Sequence[str], shared: Sequence[Argument]) -> tuple[str, Parsed, Parsed]:
    """Parse any command line: the command, and the words before and behind it. Raises UsageError, or HelpAskedError."""
    before = vars(table_parser(table, shared, _role_in(words)).parse_args(words))
    name, rest = str(before.pop("command")), before.pop("rest")
    row = table.rows.get(name)
    if row is None and name != BATCH:
        raise UsageError(f"unknown command {name!r:.60}; {expected(name, [*table.rows, BATCH])}")
    own = () if row is None else tuple(row.arguments.values())
    found, stray = command_parser(table, row, shared).parse_known_args([*_paired(rest, own)])
    if stray:
        raise UsageError(_stray(stray[0], (*own, *shared)))
    return name, before, vars(found)


def _role_in(words: Sequence[str]) -> str | None:
    """Return the role that a command line names, for its help."""
    named = next((after for word, after in pairwise(words) if word == "--role"), None)
    return named if named in list(AgentRole) else None


def table_parser(table: Table[H], shared: Iterable[Argument], role: str | None = None) -> Parser:
    """Return a parser for the words before the command's name, and that name; it leaves the rest."""
    parser = _parser(table.program, of_table(table, role))
    parser.usage = "%(prog)s [options] COMMAND …"
    _add_all(parser, shared)
    parser.add_argument("command", metavar="COMMAND", help="the command to run; see COMMAND --help")
    rest = parser.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    rest.required = False  # Python 3.11 would name it beside a missing COMMAND
    return parser


def command_parser(table: Table[H], row: Row[H] | None, shared: Iterable[Argument]) -> Parser:
    """Return a parser for the words after the command's name. `row` None means a batch."""
    name = BATCH if row is None else row.name
    between = " …" * any(argument.required for argument in table.offered.values())
    parser = _parser(f"{table.program}{between} {name}", of_batch(table) if row is None else of_command(table, row))
    if row is None:
        parser.add_argument(
            "requests",
            nargs="?",
            action=_Collect,
            const=How.FILE,
            default=argparse.SUPPRESS,
            metavar="FILE",
            help="a JSON list (default: standard input)",
        )
    else:
        arguments = row.arguments.values()
        if all(flag.startswith("-") for argument in arguments for flag, *_ in spellings(argument)):
            parser.usage = "%(prog)s [options]"
        _add_all(parser, arguments)
    _add_all(parser, shared, hidden=True)
    return parser


def _parser(prog: str, about: tuple[str, str]) -> Parser:
    description, epilog = about
    return Parser(prog=prog, description=description, epilog=epilog, formatter_class=Help, allow_abbrev=False)


def _add_all(parser: Parser, arguments: Iterable[Argument], hidden: bool = False) -> None:
    for argument in arguments:
        for flag, how, metavar, text in spellings(argument):
            shown = argparse.SUPPRESS if hidden or how in EDITS else text.replace("%", "%%")
            common: dict[str, Any] = {"action": _Collect, "const": how, "default": argparse.SUPPRESS, "help": shown}
            if not flag.startswith("-"):
                nargs = None if argument.required and not argument.document else "?"
                parser.add_argument(argument.name, nargs=nargs, metavar=metavar, **common)
            elif metavar:
                parser.add_argument(flag, dest=argument.name, metavar=metavar, **common)
            else:
                parser.add_argument(flag, dest=argument.name, nargs=0, **common)


class _Collect(argparse.Action):
    """An action that appends the value and its form (`const`) to those of the same parameter."""

    def __call__(self, parser: object, namespace: argparse.Namespace, value: Any, option: str | None = None) -> None:
        text = value if isinstance(value, str) else "--"  # argparse turns `--` into []
        setattr(namespace, self.dest, [*getattr(namespace, self.dest, []), (self.const, text)])


def _paired(words: Sequence[str], arguments: Iterable[Argument]) -> Iterator[str]:
    """Rewrite `--replace OLD NEW` as two words `--replace=…`, because argparse refuses an OLD such as `-x`."""
    flags = {argument.spelled for argument in arguments if argument.replaces}
    rest = iter(words)
    for word in rest:
        if word not in flags:
            yield word
            continue
        pair = [*islice(rest, 2)]
        if len(pair) < 2:
            raise UsageError(f"{word}: {PAIR}")
        yield from (f"{word}={text}" for text in pair)


def _stray(word: str, arguments: Sequence[Argument]) -> str:
    flags = [flag for argument in arguments for flag, *_ in spellings(argument) if flag.startswith("-")]
    if not word.startswith("-"):
        quotes = any(argument.flag.positional for argument in arguments)
        fix = "put a text with spaces into quotes" if quotes else f"each value follows its flag, such as {flags[0]}"
        return f"unexpected argument {word!r:.60}; {fix}"
    named = word.partition("=")[0]
    bare = [argument.spelled for argument in arguments if argument.spelled == named.lstrip("-").upper()]
    if bare:
        return f"{word!r:.60} is not known; write {bare[0]} without a flag"
    near = nearest(named, flags)
    return f"{word!r:.60} is not known; " + (f"did you mean {near}?" if near else "--help lists the flags")
