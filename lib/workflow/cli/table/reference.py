"""The page of a table's commands: `python -m lib.workflow.cli.table.reference MODULE_OF_THE_TABLE`."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

from .arguments import Argument
from .calls import FORMS, load
from .command_line.help import EDITS, STATUSES, of_batch, shown
from .command_line.spellings import ROLE, form, spellings
from .rows import BATCH, Example, Row, Table

H = TypeVar("H")

BAR: Final = r"\|"


COMMON: Final = ("id", "version", "replace")
"""Keys with the same meaning in every command that creates and updates; the page explains them once."""
UPDATES: Final = """\
Commands that create and update: without `--id` they create. With `--id ID` and `--version N`, the version that `get`
shows, they update, and what is not given stays. On an update

- `--replace OLD NEW`, in a batch `"replace": [["OLD", "NEW"]]`, puts NEW for OLD, which must occur once in all texts of
  the entity;
- a list marked *editable* accepts single items: for `--file` there are `--add-file` and `--remove-file`, in a batch
  `add_files` and `remove_files`; an item to remove is named by its text, or by a part that only it has."""


def reference(table: Table[H], home: str) -> str:
    """Return the page."""
    arguments = [argument for row in table.rows.values() for argument in row.arguments.values()]
    parts = [
        f"# `{table.typed}`",
        f"Made from `{home}` by `make docs`; a test keeps it true, and runs every example, in this order, in a folder"
        f" `{_folder(table)}`.",
        table.description,
        "Before the command:",
        _rows((*table.options.values(), ROLE, form(tuple(FORMS))), keys=False),
        f"```text\n{STATUSES}\n```",
        *[UPDATES] * any(argument.editable for argument in arguments),
        *(part for row in table.rows.values() for part in _section(table, row)),
    ]
    if table.batch:
        parts += [f"## {BATCH}", of_batch(table)[0], *_fences(table, BATCH, table.batch)]
    return "\n\n".join(parts) + "\n"


def _folder(table: Table[H]) -> str:
    return table.shared[table.shared.index("--state-dir") + 1] if "--state-dir" in table.shared else "of its own"


def _section(table: Table[H], row: Row[H]) -> Iterator[str]:
    yield f"## {row.name}"
    yield row.help
    place = "" if row.store else " In a batch only as the first request." if row.batched else " Not in a batch."
    yield f"For {', '.join(row.roles) or 'nobody in particular'}.{place}"
    listed = [each for key, each in row.arguments.items() if not (row.needs and key in COMMON)]
    if listed:
        yield _rows(listed, keys=row.batched)
    if row.needs:
        yield f"To create it needs {', '.join(f'`{row.arguments[key].spelled}`' for key in row.needs)}."
    yield from _fences(table, row.name, row.examples)


def _rows(arguments: Iterable[Argument], keys: bool) -> str:
    """Return a Markdown table of arguments; with `keys`, it has a column of batch keys."""
    lines = ["| on the command line | in a batch | what |", "|---|---|---|"] if keys else ["| | |", "|---|---|"]
    for argument in arguments:
        listed = [each for each in spellings(argument) if each[1] not in EDITS]
        flags = "<br>".join(_flag(flag, metavar) for flag, _, metavar, _ in listed)
        said = listed[0][3] + "; *editable*" * argument.editable
        cells = (flags, f"`{argument.key}`", said) if keys else (flags, said)
        lines.append(f"| {' | '.join(cell.replace('|', BAR) for cell in cells)} |")
    return "\n".join(lines)


def _flag(flag: str, metavar: str) -> str:
    return f"`{flag}`" if metavar in ("", flag) else f"`{flag} {metavar}`"


def _fences(table: Table[H], name: str, examples: Sequence[Example]) -> Iterator[str]:
    for example in examples:
        yield f"```sh\n{shown(table, name, example, table.typed)}\n```"


if __name__ == "__main__":
    sys.stdout.write(reference(load(sys.argv[1]), sys.argv[1]))
