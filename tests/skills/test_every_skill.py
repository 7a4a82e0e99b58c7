"""Rules for every skill."""

import os
import re

import pytest

from lib.workflow.ast.nodes import Text
from lib.workflow.ast.step import Complete
from lib.workflow.discovery import Found, search
from lib.workflow.prompts.markdown import read_front_matter
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.reader import Reader, Simple
from tests.subjects import PROOF, ROOT, first

SKILLS, _ = search("skills")
MAX_WORDS = 400
FRONT_MATTER = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}


def folder(skill: Found) -> str:
    return os.path.join(ROOT, *skill.home.split(".")[:2])


@pytest.mark.parametrize("skill", SKILLS, ids=lambda skill: skill.workflow.name)
def test_a_steps_text_is_short_enough_to_be_obeyed(skill: Found) -> None:
    for step in skill.workflow.steps.values():
        words = sum(len(node.value.split()) for node in step.actions if isinstance(node, Text))
        assert words <= MAX_WORDS, f"{step.id}: {words} words"


@pytest.mark.parametrize("rounds", [0, 9])
@pytest.mark.parametrize(
    "skill",
    [
        skill for skill in SKILLS if "state_dir" not in skill.workflow.parameters
    ],  # a skill with a state has its own simulated agent
    ids=lambda skill: skill.workflow.name,
)
def test_agent_that_follows_the_pages_reaches_the_end(skill: Found, rounds: int) -> None:
    PROOF.stage.ready(skill.workflow, skill.workflow.entry_point)
    reader = Reader(Simple(rounds=rounds), run_here)
    assert reader.read(first(skill.workflow)) == "PASS"
    assert isinstance(reader.visited[-1].document.blocks[-1], Complete)


@pytest.mark.parametrize("home", sorted({folder(skill) for skill in SKILLS}), ids=os.path.basename)
def test_the_skill_file_is_in_the_open_form_and_starts_the_first_step(home: str) -> None:
    (skill,) = (skill for skill in SKILLS if os.path.basename(home).replace("_", "-") == skill.workflow.name)
    fields, body = read_front_matter(os.path.join(home, "SKILL.md"))
    assert fields.keys() <= FRONT_MATTER
    assert fields["name"] == skill.workflow.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fields["name"])
    assert 0 < len(fields["description"]) <= 400
    assert not set("<>") & set(fields["description"])
    assert f"python3 -m {skill.workflow.module} --step 1" in body
