"""The graph of one explorer, and its category's text."""

import pytest

from lib.workflow.ast.nodes import Document, Text
from lib.workflow.ast.visitor import walk
from lib.workflow.cli.calls import read_call
from lib.workflow.errors import UsageError
from lib.workflow.render.xml import render
from skills.conventions.categories import Part, category_ids, read_category
from skills.refactor.explore_workflow import WORKFLOW
from skills.refactor.modes import Mode
from skills.refactor.reading import PARTS

PRINTED = {"principle": (Part.PRINCIPLE, Part.LEAVE_ALONE, Part.EXAMPLE), "patterns": (Part.LOOK_FOR,)}
"""The parts of a category by the step that prints them, in every mode."""


def printed(step_id: str, category: str, mode: Mode) -> Document:
    values = {"category": category, "mode": mode, "scope": "/srv/shop/src"}
    taken = {name: value for name, value in values.items() if name in WORKFLOW.taken_by(step_id)}
    return WORKFLOW.run(step_id, WORKFLOW.context(step_id, taken))


def words(document: Document) -> str:
    text = " ".join(node.value for node in walk(document) if isinstance(node, Text))
    return " ".join(text.replace(">", " ").split())


def test_it_has_five_steps() -> None:
    assert list(WORKFLOW.steps) == ["context", "principle", "patterns", "search", "synthesis"]


@pytest.mark.parametrize("category", category_ids())
def test_it_prints_the_text_of_its_category_in_every_mode(category: str) -> None:
    parts = read_category(category).parts
    for mode in Mode:
        wanted = PRINTED | {"patterns": (*PRINTED["patterns"], *PARTS[mode])}
        for step_id, names in wanted.items():
            shown = words(printed(step_id, category, mode))
            assert all(" ".join(parts[name].replace(">", " ").split()) in shown for name in names)


@pytest.mark.parametrize("category", category_ids())
def test_every_page_fits_the_limit_of_clients(category: str) -> None:
    for step_id in WORKFLOW.steps:
        assert len(render(printed(step_id, category, Mode.BOTH))) < 10_000


@pytest.mark.parametrize("mode", [Mode.DESIGN, Mode.CODE])
def test_a_mode_shows_its_own_variant_alone(mode: Mode) -> None:
    parts = read_category("dead-code").parts
    shown = words(printed("patterns", "dead-code", mode))
    (other,) = {Part.DESIGN, Part.CODE} - set(PARTS[mode])
    assert " ".join(parts[other].split()) not in shown


@pytest.mark.parametrize("category", ["dead_code", "../../README.md:1-3", ""])
def test_unknown_category_is_refused_with_the_legal_ones(category: str) -> None:
    with pytest.raises(UsageError, match="absence, "):
        read_call(WORKFLOW, ("--step", "1", "--category", category, "--mode", "code", "--scope", "/x"))
