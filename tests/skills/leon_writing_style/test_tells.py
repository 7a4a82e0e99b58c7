"""The machine tells, and the counts in a text."""

import io
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from lib.workflow.cli.tool import run
from lib.workflow.errors import UsageError, WorkflowError
from skills.leon_writing_style.counting import report
from skills.leon_writing_style.guide import SHIPPED, read_guide
from skills.leon_writing_style.measure import MAX_BYTES, accepts, printed
from skills.leon_writing_style.tells import Tell, read_tells, to_read
from tests.wording import carries

TELLS = read_tells()
AT_LEAST = 25

HITS = {
    "excess-words": ("We delve into the tapestry.", 2),
    "grand-praise": ("A robust, innovative tool.", 2),
    "verbs-for-is": ("It serves as a cache.", 1),
    "intensifiers": ("It is truly fast.", 1),
    "stock-joints": ("It broke. Moreover, it hung.", 1),
    "padding": ("It is important to note that it broke in order to show.", 2),
    "nouns-of-verbs": ("The implementation of the cache.", 1),
    "unnamed-authority": ("Studies show that it is widely used.", 2),
    "stacked-hedges": ("It may potentially help.", 1),
    "participle-tail": ("It caches pages, ensuring speed.", 1),
    "not-but": ("It's not a tool, it's a way.", 1),
    "triad": ("Fast, safe, and small.", 1),
    "dash-aside": ("It broke — twice.", 1),
    "answered-question": ("The result? Silence.", 1),
    "drumroll": ("Here's the thing: it broke.", 1),
    "staccato": ("No config. No setup.", 1),
    "throat-clearing": ("In this guide we'll explore caches.", 2),
    "recap-ending": ("Overall, it works.", 1),
    "claimed-importance": ("It marks a turning point.", 1),
    "false-range": ("From startups to banks.", 1),
    "balance": ("While it is fast in the lab, it may fail.", 1),
    "everybody": ("Whether you're new or not.", 1),
    "list-for-prose": ("1. It broke\n- It hung", 2),
    "bold-lead": ("- **Speed:** it is fast", 1),
    "heading-a-paragraph": ("# Caches\n\n## Speed\n\nIt is fast.\n\n## Size\n\nIt is small.\n", 2),
    "emoji": ("\U0001f680 Start", 1),
    "chat-residue": ("Certainly! I hope this helps.", 2),
}


def counted(text: str) -> dict[str, int]:
    """Return the count of each tell, by its id."""
    found = re.findall(r"^([a-z-]+): (\d+)$", report(text), re.MULTILINE)
    return {name: int(count) for name, count in found}


def test_there_are_enough_tells_and_each_part_is_filled() -> None:
    assert len(TELLS) >= AT_LEAST
    for tell in TELLS:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", tell.id)
        assert len(tell.look.split()) >= 3
        assert tell.title


@pytest.mark.parametrize("tell", [tell for tell in TELLS if tell.pattern], ids=lambda tell: tell.id)
def test_each_pattern_finds_its_examples(tell: Tell) -> None:
    text, hits = HITS[tell.id]
    assert counted(text)[tell.id] == hits
    assert counted(text.upper())[tell.id] == hits


def test_a_text_in_the_voice_that_ships_has_hardly_a_hit() -> None:
    assert sum(counted(read_guide(SHIPPED).parts["Samples"]).values()) <= 1


def test_the_tells_that_no_pattern_finds_are_listed() -> None:
    assert [line.partition(":")[0] for line in to_read().split("\n")] == [t.id for t in TELLS if not t.pattern]


@pytest.mark.parametrize(
    "text",
    [
        "## Speed\n\nIt is fast.\n\nIt was slow.\n\n## Size\n\n- small\n- smaller\n",
        "On Friday, we moved it and left.",
        "If it breaks, it retries and logs.",
    ],
)
def test_justified_heading_or_triad_is_not_a_hit(text: str) -> None:
    assert not counted(text).keys() & {"heading-a-paragraph", "triad"}


def test_a_hit_is_shown_with_what_to_write_instead() -> None:
    (tell,) = (tell for tell in TELLS if tell.id == "dash-aside")
    assert f"  instead: {tell.instead}" in report("It broke — twice.")


def test_a_hit_is_shown_with_its_line_and_found_across_lines() -> None:
    text = "One.\n\n```\nCertainly!\n```\n\nIt is important\nto note this.\n"
    assert carries(report(text), "  line 8: … note this.")
    assert counted(text) == {"padding": 1}


def test_many_hits_are_counted_whole_and_shown_in_part() -> None:
    text = report("It broke — twice.\n" * 9)
    assert "dash-aside: 9\n" in text
    assert text.count("  line ") == 6
    assert "  and 3 more" in text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "0 words in 0 sentences"),
        ("It broke. It hung! Why?\n\n# Heading\n\n- an item\n- another one", "9 words in 5 sentences of 1 to 2 words"),
        ("One two\nthree.", "3 words in 1 sentence of 3 to 3 words"),
        ("It broke. It hung. No.", "same-openings: 1"),
        ("One. " + "word " * 20, "even-sentences: 0 of 2"),
    ],
)
def test_sentences_are_counted(text: str, says: str) -> None:
    assert carries(report(text), says)


@pytest.mark.parametrize(
    ("data", "status", "says"),
    [
        (b"\xef\xbb\xbfTruly \xc3\xa9.", 0, "intensifiers: 1"),
        (b"\xff", 2, "UTF-8"),
        (b"", 2, "`< FILE`"),
        (b"\xef\xbb\xbf \n\t", 2, "`< FILE`"),
        (b"a" * (MAX_BYTES + 1), 2, "1,048,576"),
    ],
    ids=["good", "binary", "nothing", "blanks", "long"],
)
def test_the_text_comes_on_standard_input(
    data: bytes, status: int, says: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["measure"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert run("measure", printed, None) == status
    assert carries(capfd.readouterr()[1 if status else 0], says)


def test_missing_text_or_extra_words_are_wrong_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    for stdin in (None, SimpleNamespace(isatty=lambda: True)):
        monkeypatch.setattr(sys, "stdin", stdin)
        with pytest.raises(UsageError, match="here-document"):
            printed([])
    with pytest.raises(UsageError, match=r"'draft\.md'"):
        accepts(["draft.md"])


def test_malformed_pattern_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tells.md"
    path.write_text("## a: A\n- look: x\n- instead: y\n- pattern: (\n")
    with pytest.raises(WorkflowError, match=r"^a: "):
        read_tells(str(path))
