"""Messages that the page on troubleshooting names are messages of the code."""

import re
from pathlib import Path

import pytest

from tests.subjects import ROOT

PAGE = Path(ROOT, "docs", "troubleshooting.md").read_text(encoding="utf-8")
SYMPTOMS = [row.split(" | ")[0] for row in re.findall(r"^\| (.*)$", PAGE, re.MULTILINE)]
QUOTED = sorted({code for cell in SYMPTOMS for code in re.findall(r"`([^`]+)`", cell)})
OTHERS = {"stepscript: command not found", "No module named 'skills'", "prompts.md", "stepscript list"}
"""Texts of a shell, of Python or of the reader."""


@pytest.mark.parametrize("message", [each for each in QUOTED if each not in OTHERS])
def test_a_message_that_the_page_names_is_in_the_code(message: str) -> None:
    sources = (path.read_text(encoding="utf-8") for path in Path(ROOT, "lib").rglob("*.py"))
    assert any(message in re.sub(r'"\s*\n\s*f?"', "", source) for source in sources)
