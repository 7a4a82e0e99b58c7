"""A reader of command lines by the table: the command and its values."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from ....errors import UsageError
from ....types import AgentRole
from ....util.suggest import expected
from ...words import pairs
from ..arguments import Argument, How, Values
from ..edits import Edit
from ..requests import Request, RequestError
from ..rows import BATCH, Table
from .sources import Source, items_of
from .spellings import PAIR, ROLE, Parsed, form, spellings

H = TypeVar("H")

ROLE_VARIABLE: Final = "STEPSCRIPT_ROLE"
STANDARD_INPUT: Final = [(How.FILE, "-")]
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
    try:
        name, before, behind = _usual(table, words, shared)
    except (ValueError, LookupError):
        from .parser import parsed  # for help, errors and rare spellings

        name, before, behind = parsed(table, words, shared)
    row = table.rows.get(name)
    own = () if row is None else tuple(row.arguments.values())
    source = Source()
    both = {argument.name: [*before.get(argument.name, ()), *behind.get(argument.name, ())] for argument in shared}
    options = _values(shared, both, source)
    role, shape = options.pop(ROLE.name, None), str(options.pop("format", forms[0]))
    for key, argument in table.options.items():
        if argument.required and argument.name not in options:
            default = table.takes.get(key, "") if table.by_word else ""
            lacks = f", and its default does not exist: {default}" if default else ""
            raise UsageError(f"{argument.spelled} is missing{lacks}; write it before {name}")
    role = role if isinstance(role, AgentRole) else _role_of_environment()
    if row is None:
        return Call(options, role, shape, None, _document(behind.get("requests", STANDARD_INPUT)[0][1], source))
    for argument in own:
        if argument.document and argument.flag.positional:
            behind.setdefault(argument.name, STANDARD_INPUT)
    values = _values(own, behind, source)
    if shape == AS_JSON and AS_JSON in row.arguments:  # the command has its own JSON format
        values, shape = {**values, AS_JSON: True}, forms[0]
    request = Request(row, values)
    try:
        request.check()
    except RequestError as error:
        raise UsageError(error.spelled(row, lambda argument: argument.spelled)) from None
    return Call(options, role, shape, request)


def _usual(table: Table[H], words: Sequence[str], shared: Sequence[Argument]) -> tuple[str, Parsed, Parsed]:
    """Split a usual command line as argparse would: the command, and the words before and behind it.

    Raises ValueError or LookupError for any other, also for a wrong one.
    """
    rest = iter(words)
    before, name = _collected(rest, shared, [])
    if name is None:
        raise ValueError("the command is missing")
    own = () if name == BATCH else tuple(table.rows[name].arguments.values())
    needed = [each.spelled for each in own if each.flag.positional and each.required and not each.document]
    behind, stray = _collected(rest, (*own, *shared), needed)
    if stray is not None or needed:
        raise ValueError("argparse says what is missing or too much")
    return name, before, behind


def _collected(words: Iterator[str], arguments: Iterable[Argument], needed: list[str]) -> tuple[Parsed, str | None]:
    """Collect the values of flags and of the needed positions, and return them with the next word after these."""
    ways = {
        flag: (argument.name, how, bool(metavar))
        for argument in arguments
        if not argument.replaces
        for flag, how, metavar, _ in spellings(argument)
    }
    switches = [flag for flag, (*_, valued) in ways.items() if not valued]
    found: Parsed = {}
    for flag, text in pairs(words, switches):
        if not flag and not needed:
            return found, text
        name, how, _ = ways[flag or needed.pop(0)]
        found.setdefault(name, []).append((how, text))
    return found, None


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
