"""Data in Markdown, one record per section."""

from pathlib import Path

import pytest

from lib.workflow.errors import WorkflowError
from lib.workflow.prompts.records import read_records
from tests.wording import elided

GOOD = """\
# For authors

## one: The first

- name: a: b
- note: goes on
  in a second line
- note: another

## two: The second
- name: c
- look: <x>
- note: n
"""


def written(folder: Path, text: str) -> str:
    path = folder / "data.md"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_section_is_a_record_with_its_fields(tmp_path: Path) -> None:
    one, two = read_records(written(tmp_path, GOOD), once=("name",), optional=("look",), many=("note",))
    assert (one.id, one.title, one.one("name")) == ("one", "The first", "a: b")
    assert one.fields == {"name": ("a: b",), "look": (), "note": ("goes on in a second line", "another")}
    assert two.fields["look"] == ("<x>",)
    assert two.text == "- name: c\n- look: <x>\n- note: n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("## a: A\n- note: n\n", "data.md:1: a: `- name:`"),
        ("## a: A\n- name: x\n", "`- note:`"),
        ("## a: A\n- name: x\n- note: n\n- name: y\n", "`- name:`"),
        ("## a: A\n- name: x\n- note: n\n- look: 1\n- look: 2\n", "`- look:`"),
        ("## a: A\n- name:\n- note: n\n", "`- name:`"),
        ("## a: A\n- name: x\n- note: n\n- other: 1\n", "'- other: 1' … `- field: value`"),
        ("## a: A\n  early\n- name: x\n- note: n\n", "a: '  early' … field"),
        ("## a: A\n- name: x\n- note: n\n\n## a: A\nx\n", "'a'"),
    ],
)
def test_data_of_another_form_is_refused_with_its_place(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(WorkflowError, match=elided(says)):
        read_records(written(tmp_path, text), once=("name",), optional=("look",), many=("note",))
