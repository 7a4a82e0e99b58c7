"""The options of every table, and the ways to write an argument on a command line."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from ....arguments.parameter import Parameter
from ....types import AgentRole
from ..arguments import FILE, Argument, Flag, How

Parsed: TypeAlias = dict[str, list[tuple[How, str]]]
"""Values of a command line by parameter name, in order. A pair counts as two values."""
PAIR: Final = "give two texts, OLD and NEW"
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


def spellings(argument: Argument) -> Iterator[tuple[str, How, str, str]]:
    """Yield each way to write it on a command line: flag, form, placeholder of its value, meaning."""
    name, said = argument.spelled, argument.flag.description or argument.key
    legal = "" if argument.flag.long or argument.free else f"; {argument.legal}"
    notes = "".join([legal, "; repeatable" * argument.listed, "; required" * argument.required])
    if argument.document and argument.flag.positional:
        yield name, How.FILE, name, f"{said}; JSON (default: standard input)"
    elif argument.document:
        yield name, How.FILE, FILE, f"{said}; JSON, - is standard input" + "; required" * argument.required
    elif argument.replaces:
        yield name, How.VALUE, "OLD NEW", said
    elif argument.switch:
        yield name, How.YES, "", said
        yield argument.without, How.NO, "", f"opposite of {name}"
    else:
        yield name, How.VALUE, name if argument.flag.positional else "X", f"{said}{notes}"
        if argument.flag.long:
            more = "a file with one per line" if argument.listed else "a file with the value"
            yield f"{name}-file", How.FILE, FILE, f"{more}; - is standard input"
    if argument.editable:
        yield f"--add-{name[2:]}", How.ADD, "X", "add one to the list"
        yield f"--remove-{name[2:]}", How.REMOVE, "X", "remove the one with this text, or with this unique part"
    if argument.clearable:
        yield argument.without, How.AWAY, "", "remove the value"
