"""Words and turns of phrase that need a second reading are in no text of the repository."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.subjects import ROOT

FOLDERS: Final = ("lib", "skills", "stepscript", "tests", "docs", "examples", "benchmarks")
QUOTED: Final = ("skills/conventions/timeless/", "skills/leon_writing_style/tells.md", "tests/test_words.py")
"""Files that quote such words as samples of what to avoid."""
BANNED: Final = {
    "told": (r"(?i)\btold\b", r"\bjob\.told|current\.told|\btold: |\btold="),
    "is no": (r"\bis no\b(?! longer| more)", r"\b[Tt]here is no\b"),
    "is none": (r"\bis none\b", r"\b[A-Z]{3,} is none\b|\bthere is none\b|\bThere is none\b"),
    "whoever": (r"(?i)\bwhoever\b", None),
    "anew": (r"(?i)\banew\b", None),
    "stands": (r"(?i)\bstands\b", None),
    "mend": (r"(?i)\bmend(?:s|ed|ing)?\b", None),
    "so many": (r"(?i)\bso many\b", None),
    "a document that is not here": (r"\bshared/(?:design|cases)\b|\b(?:style|laws|language)\.md\b", None),
}
"""For each word its pattern, and a pattern of uses that stay: names in stored files, and values that a page prints."""


LONGEST_SENTENCE: Final = 30
"""Most words of a sentence of a prompt."""
LONG: Final = (
    "skills/leon_writing_style/guide.md",
    "skills/leon_writing_style/tells.md",
    "skills/doc_sync/conventions.md",
)
"""Prompts with longer ones: a guide with a voice of its own, titles of papers, and a list."""


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    found = [path for folder in FOLDERS for path in Path(ROOT, folder).rglob("*") if path.suffix in {".py", ".md"}]
    names = {path.relative_to(ROOT).as_posix(): path for path in [*found, *Path(ROOT).glob("*.md")]}
    kept = {name: path for name, path in names.items() if "node_modules" not in name and not name.startswith(QUOTED)}
    return {name: path.read_text(encoding="utf-8") for name, path in kept.items()}


@pytest.mark.parametrize("word", BANNED)
def test_no_text_uses_a_word_that_needs_a_second_reading(texts: dict[str, str], word: str) -> None:
    pattern, stays = BANNED[word]
    found = [
        f"{name}:{number}: {line.strip()}"
        for name, text in texts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if re.search(pattern, re.sub(stays, "", line) if stays else line)
    ]
    assert not found, "\n".join(found)


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a prompt, without code, samples, tables and rows."""
    prose = re.sub(r"```.*?```|^(?: {4}|\||[\[{]|END|- \w+:)[^\n]*$", "", text, flags=re.DOTALL | re.MULTILINE)
    for part in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", prose):
        yield from re.split(r"(?<=[.!?:;])\s+", " ".join(part.split()))


def test_no_sentence_of_a_prompt_is_long(texts: dict[str, str]) -> None:
    prompts = [
        name
        for name in texts
        if name.startswith(("lib/", "skills/")) and name.endswith(".md") and name not in LONG and "README" not in name
    ]
    assert len(prompts) > 80
    found = [
        (name, each) for name in prompts for each in sentences(texts[name]) if len(each.split()) > LONGEST_SENTENCE
    ]
    assert not found


def docstrings(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each docstring, also of those below a field or a constant."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str() as said)):
                yield node.lineno, said
            case _:
                pass


def test_docstrings_begin_with_a_verb_or_a_noun(texts: dict[str, str]) -> None:
    found = [
        f"{name}:{number}: {said}"
        for name, text in texts.items()
        if name.endswith(".py")
        for number, said in docstrings(text)
        if re.match(r"(?:What|Whether|How|Which|Where|Who)\b", said)
    ]
    assert not found, "\n".join(found)
