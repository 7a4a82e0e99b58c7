"""Texts of `--help` for a table and its commands, above and below the list of flags."""

from collections.abc import Iterable
from typing import Final, TypeVar

from ....command.quoting import join
from ..arguments import How
from ..rows import BATCH, Example, Row, Table
from .spellings import spellings

H = TypeVar("H")

EDITS: Final = (How.ADD, How.REMOVE)
"""Forms that help names in one line, because each list has both."""
STATUSES: Final = """\
exit status:
  0  done
  1  refused; standard output gives the reason and the fix
  2  wrong usage; see standard error
  4  standard output cannot be written; check if the change was made"""


def of_table(table: Table[H], role: str | None = None) -> tuple[str, str]:
    """Return the description of the whole table, and the list of the commands that a role may use; all if None."""
    width = max(len(name) for name in (*table.rows, BATCH)) + 2
    rows = {name: row for name, row in table.rows.items() if role is None or role in row.roles}
    lines = [f"  {name:{width}}{row.help.partition(chr(10))[0]}" for name, row in rows.items()]
    if table.batch:
        lines.append(f"  {BATCH:{width}}Several requests at once: all are done, or none.")
    return table.description, "\n".join([f"commands for {role}:" if role else "commands:", *lines, "", STATUSES])


def of_command(table: Table[H], row: Row[H]) -> tuple[str, str]:
    """Return the description of one command, and its needs, roles and examples."""
    needed = ", ".join(row.arguments[key].spelled for key in row.needs)
    needs = f"required to create one: {needed}\nrequired to change one: --id, --version\n\n" if needed else ""
    flags = [flag for argument in row.arguments.values() for flag, how, *_ in spellings(argument) if how in EDITS]
    edits = f"flags that change single items of a list: {', '.join(flags)}\n\n" if flags else ""
    roles = f"for: {', '.join(row.roles)}\n\n"
    return row.help, f"{needs}{edits}{roles}{_examples(table, row.name, row.examples)}"


BATCH_RULES: Final = """\
Several requests at once, as a JSON list: all are done, or none. Each request sees the changes of the earlier ones.

A request is an object: "command", and the keys of that command. A list is a JSON list; yes and no are true and false;
null removes a value. A text may hold line breaks as they are; write \\" for a quote and \\\\ for a backslash."""
NAME_RULES: Final = """
"as": "NAME" names the new entity of a request; a later request can use its id as "$NAME"."""


def of_batch(table: Table[H]) -> tuple[str, str]:
    """Return the description of a batch, and the commands that it takes."""
    names = ", ".join(row.name for row in table.rows.values() if row.batched)
    refers = any(argument.flag.ref for row in table.rows.values() for argument in row.arguments.values())
    about = BATCH_RULES + NAME_RULES if refers else BATCH_RULES
    return about, f"commands: {names}\n\n{_examples(table, BATCH, table.batch)}"


def _examples(table: Table[H], name: str, examples: Iterable[Example]) -> str:
    """Return the examples, each at the start of a line, so that they can be copied."""
    return "\n\n".join(["examples:", *(shown(table, name, example) for example in examples)])


def shown(table: Table[H], name: str, example: Example, program: str = "") -> str:
    """Return an example as a shell command, of the script or of another program."""
    command = f"{program or table.program} {join((*table.before, name, *example.words))}"
    return f"{command} <<'END'\n{example.given}\nEND" if example.given else command
