"""Blocks in capitals: a page asks for one only if a page that follows reads it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from lib.workflow.ast.nodes import Text
from lib.workflow.core import StepDef
from lib.workflow.discovery import Found, search
from lib.workflow.prompts.markdown import read_text
from tests.subjects import ROOT

SKILLS: Final = [each for each in search("skills")[0] if each.workflow.name in ("doc-sync", "incoherence")]
METHODS: Final = {
    ("doc-sync", "update"): "doc_sync/rounds.md",
    **{("incoherence", step): "incoherence/methods.md" for step in ("pose", "settle", "launch", "collect", "next")},
}
"""Texts that a slot adds to a step."""
ASKED: Final = re.compile(r"(?:\A|\n\n) {4}([A-Z]{3,})\b")
"""The name of a block, at the start of its sample."""


def text_of(skill: Found, step: StepDef) -> str:
    own = "\n\n".join(node.value for node in step.actions if isinstance(node, Text))
    beside = METHODS.get((skill.workflow.name, step.id))
    whole = read_text(str(Path(ROOT, "skills", beside))) if beside else ""
    sections = dict(
        zip(
            re.findall(r"^## (\w+):", whole, re.MULTILINE),
            re.split(r"^## .*$", whole, flags=re.MULTILINE)[1:],
            strict=True,
        )
    )
    return own + "\n\n" + (sections.get(step.id, "") if sections else whole)


def following(skill: Found, step: str) -> Iterator[str]:
    """Yield the steps that can come after one."""
    seen, todo = {step}, [step]
    while todo:
        for target in skill.workflow.steps[todo.pop()].next.values():
            if isinstance(target, str) and target not in seen:
                seen.add(target)
                todo.append(target)
                yield target


def blocks(skill: Found) -> dict[str, set[str]]:
    """Return the blocks that each step asks for."""
    return {step.id: {*ASKED.findall(text_of(skill, step))} for step in skill.workflow.steps.values()}


@pytest.mark.parametrize("skill", SKILLS, ids=lambda skill: skill.workflow.name)
def test_a_block_that_a_page_asks_for_is_named_on_a_page_that_follows(skill: Found) -> None:
    steps = skill.workflow.steps
    asked = {id_: names for id_, names in blocks(skill).items() if names and any(steps[id_].next.values())}
    assert asked
    for id_, names in asked.items():
        later = "\n".join(text_of(skill, steps[other]) for other in following(skill, id_))
        assert {name for name in names if f"`{name}`" not in later} == set(), id_


@pytest.mark.parametrize("skill", SKILLS, ids=lambda skill: skill.workflow.name)
def test_a_page_names_only_blocks_that_a_page_asks_for(skill: Found) -> None:
    texts = [text_of(skill, step) for step in skill.workflow.steps.values()]
    made = {name for text in texts for name in re.findall(r"^ {4}([A-Z]{3,})\b", text, re.MULTILINE)}
    assert {name for text in texts for name in re.findall(r"`([A-Z]{3,})`", text)} <= made
