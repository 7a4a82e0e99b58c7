"""What a prompt of the planner says of the code comes from the code: no figure is typed in, no field made up."""

import importlib
import os
import pkgutil
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

import pytest
from attrs import fields, has

from lib.workflow.pages import Section, read_page
from skills.planner import schema
from skills.planner.texts import FOLDER

FIGURE: Final = re.compile(
    r"(?<![\w-])(\d+|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand)(?![\w-])",
    re.IGNORECASE,
)
NO_PROSE: Final = re.compile(r"`[^`]*`|\{\{[^}]*\}\}|\"[^\"]*\"|^\s*\d+\. ")
TEXTS: Final = tuple(sorted(name.removesuffix(".md") for name in os.listdir(FOLDER) if name.endswith(".md")))
NAME: Final = re.compile(r"`([a-z]+(?:_[a-z]+)+)`")


class Figure(NamedTuple):
    where: str
    figure: str


MEANT: Final = {
    Figure("decompose.md#gaps", "three"): "the places that the sentence lists",
    Figure("fix-impl.md#validate", "0"): "an exit status of the project's own programs",
    Figure("plan-code-execute.md#write", "three"): "lines of context, as every unified diff has them",
    Figure("plan-design-execute.md#milestones", "0"): "an exit status of the project's own programs",
    Figure("plan-design-execute.md#picture", "2"): "a point of the same page",
    Figure("plan-design-execute.md#picture", "1"): "a point of the same page",
    Figure("plan-docs-execute.md#inventory", "four"): "the rows of the table below it",
    Figure("plan-docs-execute.md#diagrams", "ten"): "seconds of a reader",
    Figure("plan-docs.md#category-diagrams", "ten"): "seconds of a reader",
    Figure("reconcile.md#judge", "three"): "the rows of the table below it",
}
"""The figures that no code has, and what each counts."""


def prose(section: Section) -> Iterator[str]:
    """The lines that are neither commands nor samples, without quotations."""
    for line in section.text.split("\n"):
        if not line.startswith(("    ", "{{plan}}", "{{qr}}")):
            yield NO_PROSE.sub("", line)


def figures() -> Iterator[Figure]:
    for name in TEXTS:
        for section in read_page(f"{FOLDER}/{name}.md")[1]:
            where = f"{name}.md#{section.title.partition(':')[0]}"
            yield from (Figure(where, found.lower()) for line in prose(section) for found in FIGURE.findall(line))


def test_every_figure_in_a_prompt_is_a_slot_or_counts_what_no_code_has() -> None:
    assert set(figures()) == MEANT.keys()


def known() -> frozenset[str]:
    """Every field and every legal value of what the state files hold."""
    names: set[str] = set()
    for module in pkgutil.iter_modules(schema.__path__, f"{schema.__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and issubclass(value, StrEnum):
                names.update(value)
            elif isinstance(value, type) and has(value):
                names.update(field.name for field in fields(value))
    return frozenset(names)


@pytest.mark.parametrize("name", TEXTS)
def test_every_field_that_a_prompt_names_is_one(name: str) -> None:
    text = "\n".join(section.text for section in read_page(f"{FOLDER}/{name}.md")[1])
    assert set(NAME.findall(text)) <= known()
