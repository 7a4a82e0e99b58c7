"""A reader of command lines by the table: the command and its values."""

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, Generic, NamedTuple, TypeVar

from ...errors import UsageError
from ...types import AgentRole
from ...util.suggest import expected, nearest
from .arguments import Argument, How, Values
from .edits import Edit
from .parser import ROLE, Parsed, command_parser, form, table_parser
from .requests import Request, RequestError
from .rows import BATCH, Table
from .sources import Source, items_of
from .spellings import spellings

H = TypeVar("H")

ROLE_VARIABLE: Final = "STEPSCRIPT_ROLE"
PAIR: Final = "give two texts, OLD and NEW"
AS_JSON: Final = "json"
"""Name of the format, and of the switch of a command that prints its own JSON."""


class Call(NamedTuple, Generic[H]):
    """A parsed command line."""

    options: Values
    """Options of the table, by the parameter names of `opens`."""
    role: AgentRole | None
    form: str
    request: Request[H] | None
    """None for a batch."""
    document: object = None
    """Parsed requests of a batch."""


def read_call(table: Table[H], words: Sequence[str], forms: Sequence[str]) -> Call[H]:
    """Parse and check the words. Raises UsageError, which says what to write instead."""
    shared = (*table.offered.values(), ROLE, form(forms))
    before = vars(table_parser(table, shared).parse_args(words))
    name, rest = str(before.pop("command")), before.pop("rest")
    row = table.rows.get(name)
    if row is None and name != BATCH:
        raise UsageError(f"unknown command {name!r:.60}; {expected(name, [*table.rows, BATCH])}")
    own = () if row is None else tuple(row.arguments.values())
    found, stray = command_parser(table, row, shared).parse_known_args([*_paired(rest, own)])
    if stray:
        raise UsageError(_stray(stray[0], (*own, *shared)))
    behind = vars(found)
    source = Source()
    both = {argument.name: [*before.get(argument.name, ()), *behind.get(argument.name, ())] for argument in shared}
    options = _values(shared, both, source)
    role, shape = options.pop(ROLE.name, None), str(options.pop("format", forms[0]))
    for argument in table.options.values():
        if argument.required and argument.name not in options:
            raise UsageError(f"{argument.spelled} is missing; write it before {name}")
    role = role if isinstance(role, AgentRole) else _role_of_environment()
    if row is None:
        return Call(options, role, shape, None, _document(behind["requests"], source))
    for argument in own:
        if argument.document and argument.flag.positional:
            behind.setdefault(argument.name, [(How.FILE, "-")])
    values = _values(own, behind, source)
    if shape == AS_JSON and AS_JSON in row.arguments:  # the command has its own JSON format
        values, shape = {**values, AS_JSON: True}, forms[0]
    request = Request(row, values)
    try:
        request.check()
    except RequestError as error:
        raise UsageError(error.spelled(row, lambda argument: argument.spelled)) from None
    return Call(options, role, shape, request)


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


def _document(name: str, source: Source) -> object:
    try:
        return source.json(name)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _values(arguments: Iterable[Argument], parsed_flags: Parsed, source: Source) -> dict[str, object]:
    return {
        argument.name: _value(argument, parsed_flags[argument.name], source)
        for argument in arguments
        if parsed_flags.get(argument.name)
    }


def _value(argument: Argument, parsed_flags: Sequence[tuple[How, str]], source: Source) -> object:
    ways = {how for how, _ in parsed_flags}
    try:
        if argument.replaces:
            texts = [text for _, text in parsed_flags]
            if len(texts) % 2:
                raise ValueError(PAIR)
            return tuple(map(argument.pair, texts[::2], texts[1::2]))
        if ways <= {How.ADD, How.REMOVE}:
            added = tuple(str(argument.read(text)) for how, text in parsed_flags if how is How.ADD)
            return Edit(added, tuple(text for how, text in parsed_flags if how is How.REMOVE))
        if len(parsed_flags) > 1 and not (argument.listed and ways <= {How.VALUE, How.FILE}):
            raise ValueError("is given twice; give it once")
        how, text = parsed_flags[0]
        if how is How.AWAY:
            return () if argument.listed else None
        if how in (How.YES, How.NO):
            return how is How.YES
        if argument.document:
            return argument.check(source.json(text))
        if argument.listed:
            return tuple([argument.read(item) for how, text in parsed_flags for item in _items(how, text, source)])
        return argument.read(source.text(text) if how is How.FILE else text)
    except ValueError as error:
        raise UsageError(f"{argument.spelled}: {error}") from None


def _items(how: How, text: str, source: Source) -> Iterable[str]:
    """Return the items of one flag: a file has one per line."""
    return items_of(source.text(text)) if how is How.FILE else (text,)


def _role_of_environment() -> AgentRole | None:
    named = os.environ.get(ROLE_VARIABLE, "")
    if named and named not in list(AgentRole):
        raise UsageError(f"{ROLE_VARIABLE}={named!r:.60} is not a role; {expected(named, list(AgentRole))}")
    return AgentRole(named) if named else None


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
