"""The format of a guide, and the messages for any other."""

import os
from pathlib import Path

import pytest

from lib.workflow.errors import RefusedError
from lib.workflow.render.xml import render
from lib.workflow.testing.prints import MAX_CHARACTERS
from skills.leon_writing_style.guide import MAX_BYTES, PARTS, SHIPPED, read_guide
from skills.leon_writing_style.workflow import WORKFLOW
from tests.wording import carries, coded

NEEDED = [part.heading for part in PARTS if part.needed]


def content(part: str) -> str:
    kind = next(item for item in PARTS if item.heading == part)
    return "".join(f"- item {number}\n" for number in range(1, 4)) if kind.letter else "word " * kind.least


def text_of(**parts: str | None) -> str:
    """Return a guide with its needed parts, of which some are replaced or left out."""
    filled = {part: content(part) for part in NEEDED} | parts
    return "# Voice: a plain one\n\n" + "\n".join(f"## {part}\n\n{text}\n" for part, text in filled.items() if text)


def faults(folder: Path, text: str) -> str:
    path = folder / "guide.md"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RefusedError) as refused:
        read_guide(str(path))
    assert (refused.value.code, refused.value.target) == ("incomplete-guide", str(path))
    assert SHIPPED in refused.value.fix
    return str(refused.value)


def test_the_guide_that_ships_has_every_part() -> None:
    guide = read_guide(SHIPPED)
    assert guide.voice == "a workshop engineer"
    assert all(guide.parts[part.heading] for part in PARTS)
    assert guide.parts["Rules"].startswith("R1  ")


def test_items_get_ids_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "guide.md"
    path.write_text(text_of(Marks="- one\n  goes on\n\n- two: <x> & ]]>\n- three\n"), encoding="utf-8")
    guide = read_guide(str(path))
    assert guide.voice == "a plain one"
    assert guide.parts["Marks"] == "M1  one\n    goes on\nM2  two: <x> & ]]>\nM3  three"
    assert guide.parts["Forms"] == ""


@pytest.mark.parametrize("part", NEEDED)
def test_each_part_that_is_missing_is_named_with_what_to_write(part: str, tmp_path: Path) -> None:
    holds = next(item.holds for item in PARTS if item.heading == part)
    assert carries(faults(tmp_path, text_of(**{part: None})), f"`## {part}` … {holds}")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "`## Voice`"),
        (text_of().replace("# Voice: a plain one", ""), "`# Voice: name`"),
        (text_of().replace("a plain one", "x" * 81), "80"),
        (text_of(Sampels="x"), "line 25: `## Sampels` … 'Samples'"),
        (text_of() + "## Rules\n- again\n", "`## Rules`"),
        (text_of(Rules="- one\n- two\n"), "`## Rules` has 2 … 3"),
        (text_of(Rules="- one\n-\n- \n- two\n"), "'-' … item"),
        (text_of(Rules="first\n- one\n- two\n- three\n"), "'first' … `- `"),
        (text_of(Rules="- one\nstray\n- two\n- three\n"), "'stray'"),
        (text_of(Samples="too short"), "`## Samples` has 2 words … 80"),
        (text_of(Voice="word " * 400), "`## Voice` has 1,999 … 800"),
        (text_of(Rules="- a\n" * 400), "2,000"),
        (text_of(Rules="```\n## Marks\n```\n"), "`## Rules` has 0 items"),
    ],
)
def test_a_guide_of_another_form_is_refused_with_what_to_write(text: str, says: str, tmp_path: Path) -> None:
    assert carries(faults(tmp_path, text), says)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (None, ""),
        (b"\xff\xfe", "codec can't decode"),
        (b"# Voice: \x00", "U+0000"),
        (b"x" * (MAX_BYTES + 1), "65,536"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(data: bytes | None, says: str, tmp_path: Path) -> None:
    path = tmp_path / "guide.md"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(RefusedError) as refused:
        read_guide(str(path))
    assert (refused.value.code, refused.value.target) == ("no-guide", str(path))
    assert carries(str(refused.value), says)
    assert SHIPPED in refused.value.fix


def test_folder_or_pipe_is_refused_as_a_guide(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(RefusedError, check=coded("no-guide")):
            read_guide(str(path))


def test_the_largest_guide_still_fits_into_what_clients_show(tmp_path: Path) -> None:
    path = tmp_path / "guide.md"
    full = {part.heading: part.most // 3 for part in PARTS}
    parts = {
        part.heading: "".join(f"- {'x' * (full[part.heading] - 6)}\n" for _ in range(3))
        if part.letter
        else "word " * (part.most // 5)
        for part in PARTS
    }
    path.write_text(text_of(**parts).replace("a plain one", "x" * 80), encoding="utf-8")
    assert sum(map(len, read_guide(str(path)).parts.values())) > 0.95 * sum(part.most for part in PARTS)
    for step in WORKFLOW.steps:
        printed = render(WORKFLOW.run(step, WORKFLOW.context(step, {"guide": str(path)})))
        assert len(printed) < MAX_CHARACTERS, step
