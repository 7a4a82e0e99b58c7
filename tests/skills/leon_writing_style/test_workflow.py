"""The graph of the writing style, and guides by every name."""

import shutil
import subprocess
from pathlib import Path

import pytest

from lib.workflow.ast.nodes import Document, Element
from lib.workflow.ast.parse import parse
from lib.workflow.ast.results import Refusal
from lib.workflow.ast.step import InvokeAfter
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command, flags
from skills.leon_writing_style.guide import PARTS, SHIPPED
from skills.leon_writing_style.workflow import WORKFLOW
from tests.blocks import only

NAMES = ("guide.md", "a b'c$HOME é.md", '-it\'s "$HOME" `id` $(id) ; | > * #', '<invoke cmd="rm"> & ]]> {{voice}}.md')


def run(folder: Path, command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["/bin/sh", "-c", command],
        capture_output=True,
        check=False,
        cwd=folder,
        encoding="utf-8",
    )


def next_of(document: Document) -> Command | None:
    after = document.blocks[-1]
    return after.invoke.command if isinstance(after, InvokeAfter) and after.invoke else None


def test_it_has_nine_steps() -> None:
    steps = ["classify", "purpose", "draft", "tells", "marks", "align", "consolidate", "refine", "check"]
    assert list(WORKFLOW.steps) == steps


def test_every_part_of_the_guide_is_shown_in_some_step() -> None:
    shown = {
        node.attributes
        for step in WORKFLOW.steps
        for node in walk(WORKFLOW.run(step, WORKFLOW.context(step)))
        if isinstance(node, Element)
    }
    assert shown == {(("part", part.heading),) for part in PARTS}


@pytest.mark.parametrize("name", NAMES)
def test_guide_of_any_name_is_found_from_any_folder(name: str, tmp_path: Path) -> None:
    shutil.copyfile(SHIPPED, tmp_path / name)
    first = run(tmp_path, str(Command(WORKFLOW.module, flags({"step": 1, "guide": name}))))
    assert (first.returncode, first.stderr) == (0, "")
    command = next_of(parse(first.stdout))
    assert command == Command(WORKFLOW.module, flags({"step": 2, "guide": str(tmp_path / name)}))
    second = run(Path("/"), str(command))
    assert (second.returncode, second.stderr) == (0, "")


@pytest.mark.parametrize("name", NAMES)
def test_a_guide_that_is_missing_is_a_refusal(name: str, tmp_path: Path) -> None:
    refused = run(tmp_path, str(Command(WORKFLOW.module, flags({"step": 1, "guide": name}))))
    assert (refused.returncode, refused.stderr) == (1, "")
    frame = only(refused.stdout, Refusal)
    assert (frame.code, frame.target) == ("no-guide", str(tmp_path / name))
