"""Rules for all texts of the planner: their length, their slots, the commands that they show."""

from pathlib import Path

import pytest

from lib.workflow.ast.nodes import Text
from lib.workflow.ast.parse import parse
from lib.workflow.ast.results import Refusal
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command, flags
from lib.workflow.prompts.slots import slots_in
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.shown import commands_in
from lib.workflow.util.output import DONE, REFUSED, WAITING
from skills.planner.agents.slots import COMMON
from skills.planner.agents.wave_slots import WAVE_FACTS
from skills.planner.phases import ROWS, PhaseSpec
from skills.planner.staging import begin
from skills.planner.texts import categories, sections
from tests.subjects import PROOF

PROMPTS = Path("skills/planner/prompts")
MAX_WORDS = 400
UNREADY = {"unknown-id", "invalid-plan", "nothing-changed", "incomplete"}
"""Refusals of commands that are right as they are written, where the run has not what they name, or a sample is short."""
STEPS = [
    (module, step)
    for module, workflow in PROOF.targets.workflows.items()
    if module.startswith("skills.planner.")
    for step in workflow.steps
]


@pytest.mark.parametrize("name", sorted(path.stem for path in (Path(__file__).parents[3] / PROMPTS).iterdir()))
def test_a_text_is_short_enough_to_be_obeyed(name: str) -> None:
    assert sections(name)
    assert not [prompt.title for prompt in sections(name).values() if len(prompt.text.split()) > MAX_WORDS]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.phase)
def test_every_slot_of_a_verifiers_category_text_is_filled(row: PhaseSpec) -> None:
    assert categories(row.phase)
    slots = {slot for text in categories(row.phase).values() for slot in slots_in([Text(text)])}
    assert slots <= COMMON.keys() | WAVE_FACTS.keys()


@pytest.mark.parametrize(("module", "step"), STEPS)
def test_each_command_that_a_page_shows_is_understood(module: str, step: str, tmp_path: Path) -> None:
    state_dir = tmp_path / "it's a $run é"
    state_dir.mkdir()
    workflow = PROOF.targets.workflows[module]
    begin(workflow, step, str(state_dir))
    number = [*workflow.steps].index(step) + 1
    page = run_here(Command(module, flags({"step": number, "state_dir": str(state_dir)})))
    assert page.status in (DONE, WAITING), page.out + page.errors
    text = "\n".join(node.value for node in walk(parse(page.out)) if isinstance(node, Text))
    for command, given in commands_in(text):
        ran = run_here(command, given)
        assert ran.status in (DONE, REFUSED), f"{command}\n{ran.errors}"
        refusals = [node.code for node in walk(parse(ran.out)) if isinstance(node, Refusal)] if ran.status else []
        assert set(refusals) <= UNREADY, f"{command}\n{ran.out}"
