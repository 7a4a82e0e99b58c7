"""All help texts follow one convention: a command's is a sentence, that of an option a fragment without a full stop."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from lib.workflow.app.main import stepscript
from lib.workflow.cli.table.command_line.spellings import ROLE, form, spellings
from lib.workflow.util.plurals import count
from tests.subjects import ROOT, WORKFLOWS
from tests.tables.found import TABLES


def sentences() -> Iterator[tuple[str, str]]:
    """Yield each command with the first line of its help."""
    assert isinstance(stepscript, click.Group)
    for name in stepscript.list_commands(click.Context(stepscript, **stepscript.context_settings)):
        found = stepscript.get_command(click.Context(stepscript, **stepscript.context_settings), name)
        yield name, str(found and found.help).strip().partition("\n\n")[0]
    for _, table in TABLES:
        yield table.module, table.description
        yield from ((f"{table.module} {row.name}", row.help.partition("\n")[0]) for row in table.rows.values())


def fragments() -> Iterator[tuple[str, str]]:
    """Yield each option of a command, each flag of a table and each parameter of a workflow with its help."""
    for name in stepscript.list_commands(click.Context(stepscript, **stepscript.context_settings)):
        found = stepscript.get_command(click.Context(stepscript, **stepscript.context_settings), name)
        options = [each for each in found.params if isinstance(each, click.Option)] if found else []
        yield from ((f"{name} {option.opts[-1]}", option.help or "") for option in options)
    for _, table in TABLES:
        rows = (each for row in table.rows.values() for each in row.arguments.values())
        for argument in (*table.options.values(), ROLE, form(["plain"]), *rows):
            yield from ((f"{table.module} {flag}", text) for flag, _, _, text in spellings(argument))
    for workflow in WORKFLOWS:
        if workflow.module.startswith("skills."):
            yield from ((f"{workflow.name} {key}", each.arg.description) for key, each in workflow.parameters.items())


def test_help_of_a_command_is_a_sentence() -> None:
    assert [found for found in sentences() if not re.fullmatch(r"(?s)[A-Z].*\.", found[1])] == []


def test_help_of_an_option_is_a_fragment() -> None:
    assert [found for found in fragments() if not re.fullmatch(r"(?s)(?![A-Z][a-z]).+(?<!\.)", found[1])] == []


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (0, "run", "0 runs"),
        (1, "entry", "1 entry"),
        (2, "entry", "2 entries"),
        (2, "box", "2 boxes"),
        (2, "key", "2 keys"),
    ],
)
def test_a_number_has_its_noun_in_the_right_form(number: int, noun: str, said: str) -> None:
    assert count(number, noun) == said


def test_no_message_forms_a_plural_by_itself() -> None:
    own = re.compile(r"(?<!of )\{len\((?![A-Z_]+\))[^{}]*\)\} [a-z]+s\b(?!; the limit)|else 's'|'s' \*")
    files = [path for folder in ("lib", "skills", "stepscript") for path in Path(ROOT, folder).rglob("*.py")]
    texts = {path: path.read_text(encoding="utf-8") for path in files if path.name != "plurals.py"}
    found = [f"{path}: {said}" for path, text in texts.items() for said in own.findall(text)]
    assert not found, "write count(number, noun):\n" + "\n".join(found)
