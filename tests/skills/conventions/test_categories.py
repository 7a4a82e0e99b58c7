"""The categories of code quality, and their reader."""

import ast
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lib.workflow.errors import WorkflowError
from skills.conventions.categories import FOLDER, Group, Part, category_ids, read_category
from tests.wording import carries, elided

LEAST = 30
"""Minimum number of categories."""
MAX_WORDS = 260
GOOD = "# A title\n\nGroup: data\n\n" + "\n\n".join(f"## {part}\n\ntext of {part}" for part in Part)


def written(folder: Path, text: str, name: str = "a-b") -> str:
    (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return str(folder)


def test_there_are_enough_categories_with_distinct_titles() -> None:
    titles = {read_category(name).title for name in category_ids()}
    assert len(titles) == len(category_ids()) >= LEAST


@pytest.mark.parametrize("name", category_ids())
def test_a_category_says_everything_briefly_and_shows_code(name: str) -> None:
    category = read_category(name)
    assert list(category.parts) == list(Part)
    assert sum(len(text.split()) for text in category.parts.values()) <= MAX_WORDS
    assert len(re.findall(r"^- ", category.parts[Part.LOOK_FOR], re.MULTILINE)) >= 3
    assert category.parts[Part.EXAMPLE].startswith("```")
    assert category.parts[Part.EXAMPLE].endswith("```")


@pytest.mark.parametrize("name", category_ids())
def test_an_example_in_python_is_python(name: str) -> None:
    for code in re.findall(
        r"^```python\n(.*?)^```$", read_category(name).parts[Part.EXAMPLE], re.MULTILINE | re.DOTALL
    ):
        ast.parse(code)


def test_every_file_of_the_folder_is_a_category() -> None:
    assert sorted(os.listdir(FOLDER)) == [f"{name}.md" for name in category_ids()]


def test_a_category_is_its_title_and_its_parts(tmp_path: Path) -> None:
    category = read_category("a-b", written(tmp_path, GOOD))
    assert (category.id, category.title, category.group) == ("a-b", "A title", Group.DATA)
    assert category.parts == {part: f"text of {part}" for part in Part}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text.removeprefix("# A title"), "`# Title` and `Group: … `"),
        (
            lambda text: text.replace("# A title", "# A title\n\nmore"),
            "`# Title` and `Group: … `",
        ),
        (lambda text: text.replace("Group: data", "Group: dat"), "groups: structure, data"),
        (lambda text: text.replace("# A title", "# "), "`# Title` and `Group: … `"),
        (lambda text: text.replace("## In code\n", "## In Code\n"), "'In code' … 'In Code'"),
        (
            lambda text: text.replace("## In code\n\ntext of In code\n\n", ""),
            "'In code' … 'Leave alone'",
        ),
        (lambda text: text[: text.index("## Example")], "'Example'"),
        (lambda text: f"{text}\n\n## Example\n\nagain", "'Example'"),
        (lambda text: text.replace("text of Look for", ""), ":9: … 'Look for'"),
    ],
)
def test_a_malformed_category_is_refused_with_file_and_part(
    tmp_path: Path, change: Callable[[str], str], says: str
) -> None:
    with pytest.raises(WorkflowError) as caught:
        read_category("a-b", written(tmp_path, change(GOOD)))
    assert str(caught.value).startswith(f"{tmp_path}/a-b.md")
    assert carries(str(caught.value), says)


@pytest.mark.parametrize("name", ["A-b", "a_b", "a-2", "-a", "ä"])
def test_file_whose_name_is_not_an_id_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(WorkflowError, match="lower-case"):
        category_ids(written(tmp_path, GOOD, name))


def test_an_unknown_category_is_refused_with_the_nearest() -> None:
    with pytest.raises(WorkflowError, match=elided("'dead_code' … 'dead-code'")):
        read_category("dead_code")


@pytest.mark.parametrize("name", ["../../README", "../severity", "/etc/passwd", ".", ""])
def test_category_outside_the_folder_is_refused(name: str) -> None:
    with pytest.raises(WorkflowError, match=re.escape(repr(name))):
        read_category(name)
