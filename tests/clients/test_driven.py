"""Each client's program knows the words that the driver starts it with, and the names of its models."""

import re

import pytest

from lib.workflow.run.clients import CLIENTS, MODEL
from tests.clients.programs import BIN, Somebody

pytestmark = pytest.mark.clients
SUBCOMMANDS = {"codex": ["exec"], "opencode": ["run"]}


@pytest.mark.parametrize("name", CLIENTS)
def test_every_flag_is_one_of_its_own(name: str, newcomer: Somebody) -> None:
    told = newcomer.runs(str(BIN / name), *SUBCOMMANDS.get(name, []), "--help")
    legal = set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", told.stdout + told.stderr))
    words = (*CLIENTS[name].words[1:], *MODEL)
    assert [word for word in words if word.startswith("-") and word != "-" and word not in legal] == []
    assert list(words[: len(SUBCOMMANDS.get(name, []))]) == SUBCOMMANDS.get(name, [])


@pytest.mark.parametrize(
    ("name", "choice"),
    [("claude", "acceptEdits"), ("codex", "workspace-write"), ("gemini", "auto_edit")],
)
def test_the_mode_that_it_is_started_in_is_one_of_its_choices(name: str, choice: str, newcomer: Somebody) -> None:
    told = newcomer.runs(str(BIN / name), *SUBCOMMANDS.get(name, []), "--help")
    assert choice in CLIENTS[name].words
    assert choice in told.stdout


def test_gemini_clis_own_pages_name_the_models() -> None:
    page = BIN.parent / "@google" / "gemini-cli" / "bundle" / "docs" / "cli" / "cli-reference.md"
    named = set(re.findall(r"^\| `([a-z-]+)` +\| `gemini-", page.read_text(), re.MULTILINE))
    assert set(CLIENTS["gemini"].models.values()) <= named
