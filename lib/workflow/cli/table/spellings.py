"""The ways to write an argument on a command line."""

from collections.abc import Iterator

from .arguments import FILE, Argument, How


def spellings(argument: Argument) -> Iterator[tuple[str, How, str, str]]:
    """Yield each way to write it on a command line: flag, form, placeholder of its value, meaning."""
    name, said = argument.spelled, argument.flag.description or argument.key
    legal = "" if argument.flag.long or argument.free else f"; {argument.legal}"
    notes = "".join([legal, "; repeat it for each" * argument.listed, "; required" * argument.required])
    if argument.document and argument.flag.positional:
        yield name, How.FILE, name, f"{said}; JSON (default: standard input)"
    elif argument.document:
        yield name, How.FILE, FILE, f"{said}; JSON, - is standard input" + "; required" * argument.required
    elif argument.replaces:
        yield name, How.VALUE, "OLD NEW", said
    elif argument.switch:
        yield name, How.YES, "", said
        yield argument.without, How.NO, "", f"the opposite of {name}"
    else:
        yield name, How.VALUE, name if argument.flag.positional else "X", f"{said}{notes}"
        if argument.flag.long:
            more = "one a line, from a file" if argument.listed else "the same from a file"
            yield f"{name}-file", How.FILE, FILE, f"{more}; - is standard input"
    if argument.editable:
        yield f"--add-{name[2:]}", How.ADD, "X", "add one to those that are there"
        yield f"--remove-{name[2:]}", How.REMOVE, "X", "remove one: its text, or a part that only it has"
    if argument.clearable:
        yield argument.without, How.AWAY, "", "take it away"
