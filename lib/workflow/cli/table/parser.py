"""The argparse parsers of a table. They collect the words of a command line; `line` reads them."""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from ...arguments.parameter import Parameter
from ...types import AgentRole
from ..script import Help, Parser
from .arguments import Argument, Flag, How
from .help import EDITS, of_batch, of_command, of_table
from .rows import BATCH, Row, Table
from .spellings import spellings

H = TypeVar("H")


Parsed: TypeAlias = dict[str, list[tuple[How, str]]]
"""Values of a command line by parameter name, in order. A pair counts as two values."""

ROLE: Final = Argument(
    name="role",
    flag=Flag(description="the role of the caller (default: STEPSCRIPT_ROLE); a role may use only its own commands"),
    item=Parameter(name="role", type=AgentRole, arg=Flag(), default=None, required=False),
)


def form(forms: Sequence[str]) -> Argument:
    """Return the argument that chooses the format."""
    said = f"output format; {forms[0]}, the default, prints a text as it is and a result as XML"
    flag = Flag(description=said, choices=tuple(forms))
    return Argument(
        name="format", flag=flag, item=Parameter(name="format", type=str, arg=flag, default=None, required=False)
    )


def table_parser(table: Table[H], shared: Iterable[Argument]) -> Parser:
    """Return a parser for the words before the command's name, and that name; it leaves the rest."""
    parser = _parser(table.program, of_table(table))
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
            "requests", nargs="?", default="-", metavar="FILE", help="a JSON list (default: standard input)"
        )
    else:
        _add_all(parser, row.arguments.values())
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
