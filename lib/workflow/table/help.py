"""What `--help` says of a table and of its commands, apart from the flags: a description, and what stands below."""

from collections.abc import Iterable
from typing import Final, TypeVar

from ..shell import join
from .rows import BATCH, Example, Row, Table

H = TypeVar("H")

STATUSES: Final = """\
exit status:
  0  done
  1  refused; standard output says why, and what to do instead
  2  wrong usage, said on standard error
  4  standard output cannot be written; look whether it was done"""


def of_table(table: Table[H]) -> tuple[str, str]:
    """Of all commands."""
    width = max(len(name) for name in (*table.rows, BATCH)) + 2
    lines = [f"  {name:{width}}{row.help.partition(chr(10))[0]}" for name, row in table.rows.items()]
    if table.batch:
        lines.append(f"  {BATCH:{width}}Several requests at once: all are done, or none.")
    return table.description, "\n".join(["commands:", *lines, "", STATUSES])


def of_command(table: Table[H], row: Row[H]) -> tuple[str, str]:
    """Of one."""
    needs = f"without --id, a new one is created, which needs: {', '.join(row.needs)}\n\n" if row.needs else ""
    roles = f"for: {', '.join(row.roles)}\n\n"
    return row.help, f"{needs}{roles}{_examples(table, row.name, row.examples)}"


def of_batch(table: Table[H]) -> tuple[str, str]:
    """Of several requests at once."""
    names = ", ".join(row.name for row in table.rows.values() if row.store is not None)
    about = (
        "Several requests at once, as a JSON list: all are done, or none; each sees what those before it did.\n"
        'Each is an object: "command", and what that command is told. A list is a list; null takes a value away.'
    )
    return about, f"commands: {names}\n\n{_examples(table, BATCH, table.batch)}"


def _examples(table: Table[H], name: str, examples: Iterable[Example]) -> str:
    """At the beginning of the line, so that they can be copied."""
    return "\n\n".join(["examples:", *(shown(table, name, example) for example in examples)])


def shown(table: Table[H], name: str, example: Example) -> str:
    """An example as it is run by a shell."""
    command = f"python3 -m {table.module} {join((*table.shared, name, *example.words))}"
    return f"{command} <<'END'\n{example.given}\nEND" if example.given else command
