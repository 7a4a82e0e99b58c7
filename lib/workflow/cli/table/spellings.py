"""The ways to write an argument on a command line."""

from collections.abc import Iterator

from .arguments import FILE, Argument, How


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
