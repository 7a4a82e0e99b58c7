"""Markdown files as data."""

from pathlib import Path

import pytest

from lib.workflow.errors import WorkflowError
from lib.workflow.prompts.markdown import Section, read_front_matter, read_page
from tests.wording import carries


def written(folder: Path, text: str) -> str:
    path = folder / "page.md"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_page_is_read_as_a_preface_and_ordered_sections(tmp_path: Path) -> None:
    preface, sections = read_page(written(tmp_path, "# Title\n\nMore.\n\n## B\n\nb\n### inner\n\n##  A \na"))
    assert preface == "# Title\n\nMore."
    assert sections == (Section("B", "b\n### inner", 5), Section("A", "a", 10))


def test_front_matter_is_cut_off_the_text(tmp_path: Path) -> None:
    front, text = read_front_matter(written(tmp_path, "---\nname: a\nwhat: b: c\n---\n\nText\n---\nmore\n"))
    assert front == {"name": "a", "what": "b: c"}
    assert text == "Text\n---\nmore"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name: a", "page.md:1:"),
        ("---\nname: a\n", "page.md:1:"),
        ("---\nname:\n---\n", "page.md:2: 'name:' … `key: value`"),
        ("---\nname: a\n  more: b\n---\n", "page.md:3: '  more: b' … `key: value`"),
        ("---\nname: a\nname: b\n---\n", "page.md:3: duplicate 'name'"),
    ],
)
def test_broken_front_matter_is_refused_with_file_and_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(WorkflowError) as caught:
        read_front_matter(written(tmp_path, text))
    assert carries(str(caught.value), says)
