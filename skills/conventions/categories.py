"""The categories of code quality: one Markdown file each in `code-quality`, whose name is the category's id."""

import os
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from lib.workflow.errors import WorkflowError
from lib.workflow.prompts.markdown import read_page
from lib.workflow.util.suggest import expected

FOLDER: Final = os.path.join(os.path.dirname(__file__), "code-quality")


class Part(StrEnum):
    """The parts of every category: the headings of its file, in their order."""

    PRINCIPLE = "Principle"
    LOOK_FOR = "Look for"
    DESIGN = "In a design"
    CODE = "In code"
    LEAVE_ALONE = "Leave alone"
    EXAMPLE = "Example"


class Group(StrEnum):
    """The subject of a category; a sample is drawn across all groups."""

    STRUCTURE = "structure"
    DATA = "data"
    STATE = "state"
    KNOWLEDGE = "knowledge"
    FAILURE = "failure"
    READING = "reading"
    TESTS = "tests"


class Category(NamedTuple):
    """One aspect of code quality."""

    id: str
    title: str
    group: Group
    parts: Mapping[Part, str]


def category_ids(folder: str = FOLDER) -> tuple[str, ...]:
    """Return the ids of all categories, sorted. Raises WorkflowError for a file whose name is not an id."""
    names = sorted(name.removesuffix(".md") for name in os.listdir(folder) if name.endswith(".md"))
    for name in names:
        if not all(word.isascii() and word.isalpha() and word.islower() for word in name.split("-")):
            raise WorkflowError(f"{os.path.join(folder, name)}.md: name it with lower-case words joined by '-'")
    return tuple(names)


def read_category(name: str, folder: str = FOLDER) -> Category:
    """Return the category with this id.

    Raises WorkflowError for an unknown id, with the nearest, and for a malformed file, with file and part.
    """
    ids = category_ids(folder)
    if name not in ids:
        raise WorkflowError(f"there is no category {name!r:.60}; {expected(name, ids)}")
    path = os.path.join(folder, f"{name}.md")
    preface, sections = read_page(path)
    heading, _, below = preface.partition("\n")
    title, group = heading.removeprefix("# ").strip(), below.strip().removeprefix("Group: ")
    if not heading.startswith("# ") or not title or group not in tuple(Group):
        raise WorkflowError(
            f"{path}: write `# Title` and `Group: …` above the first part, and nothing else; groups: {', '.join(Group)}"
        )
    headings = [section.title for section in sections]
    if headings != list(Part):
        raise WorkflowError(f"{path}: {_misplaced(headings)}")
    for section in sections:
        if not section.text.strip():
            raise WorkflowError(f"{path}:{section.line}: the part {section.title!r} is empty; fill it")
    return Category(name, title, Group(group), MappingProxyType({Part(part): text for part, text, _ in sections}))


def _misplaced(headings: list[str]) -> str:
    """Return a message about the first heading that is out of place."""
    for number, part in enumerate(Part):
        got = headings[number] if number < len(headings) else "the end"
        if got != part:
            return f"expected the part {part.value!r}, got {got!r}; the parts are {', '.join(Part)}, in this order"
    return f"the part {headings[len(Part)]!r} is unexpected; the parts are {', '.join(Part)}"
