"""Blocks in capitals: a page asks for one only if a page that follows reads it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from lib.workflow.ast.nodes import Text
from lib.workflow.core import StepDef
from lib.workflow.discovery import Found, search
from tests.subjects import ROOT

SKILLS: Final = search("skills")[0]
BLOCK: Final = re.compile(r"(?:\A|\n\n)((?: {4}[^\n]*(?:\n|\Z))+)")
"""A sample, which begins with the name of its block."""


def text_of(step: StepDef) -> str:
    return "\n\n".join(node.value for node in step.actions if isinstance(node, Text))


def beside(skill: Found, without: tuple[str, ...] = ("SKILL.md", "prompts.md", "subagent.md")) -> str:
    """Return the texts that slots add to steps: everything in the skill's folder except its prompts."""
    home = Path(ROOT, *skill.home.split(".")[:2])
    files = sorted({*home.glob("*.md"), *home.glob("*.py")})
    return "\n".join(file.read_text(encoding="utf-8") for file in files if file.name not in without)


def following(skill: Found, step: str) -> Iterator[str]:
    """Yield the steps that can come after one."""
    seen, todo = {step}, [step]
    while todo:
        for target in skill.workflow.steps[todo.pop()].next.values():
            if isinstance(target, str) and target not in seen:
                seen.add(target)
                todo.append(target)
                yield target


def blocks(step: StepDef) -> dict[str, set[str]]:
    """Return the blocks that a step asks for, each with its name, the names of its lines and the letters of its rows."""
    found = {}
    for sample in BLOCK.findall(text_of(step)):
        names = re.findall(r"^ {4}([A-Z]{3,}(?: [A-Z]+)*)\b", sample, re.MULTILINE)
        if names and sample.startswith(f"    {names[0]}"):
            rows = re.findall(r"^ {4}([A-Z])\d", sample, re.MULTILINE)
            found[names[0]] = {*names, names[0].split()[0], *(f"{row}…" for row in rows)}
    return found


CASES: Final = [
    pytest.param(skill, step, id=f"{skill.workflow.name}-{step.id}")
    for skill in SKILLS
    for step in skill.workflow.steps.values()
    if any(step.next.values()) and blocks(step)
]


@pytest.mark.parametrize(("skill", "step"), CASES)
def test_a_block_that_a_page_asks_for_is_read_on_a_page_that_follows(skill: Found, step: StepDef) -> None:
    later = "\n".join(text_of(skill.workflow.steps[other]) for other in following(skill, step.id)) + beside(skill)
    unread = [block for block, names in blocks(step).items() if not any(f"`{name}" in later for name in names)]
    assert not unread


MADE: Final = re.compile(r"\b(?:as|(?i:collect|report|under|write))(?: the| only a)? `([A-Z]{3,})`")
"""A name that a page tells the agent to write."""


@pytest.mark.parametrize("skill", SKILLS, ids=lambda skill: skill.workflow.name)
def test_a_page_names_only_blocks_that_a_page_asks_for(skill: Found) -> None:
    pages = [text_of(step) for step in skill.workflow.steps.values()]
    whole = "\n".join([*pages, beside(skill, without=())])
    samples = "\n".join(re.findall(r"^ {4}.*", whole, re.MULTILINE))
    made = {*MADE.findall(whole), *re.findall(r"\b[A-Z]{3,}\b", samples)}
    assert {name for text in pages for name in re.findall(r"`([A-Z]{3,})`", text)} <= made
