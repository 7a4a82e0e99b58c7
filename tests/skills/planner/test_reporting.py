"""The report of a run shows its whole state, as text, for any content."""

import pytest
from lxml import html

from lib.workflow.render.html import render_html
from skills.planner.commands.beginning import init
from skills.planner.reporting import report
from skills.planner.schema.plan.diagram import DiagramNode
from skills.planner.schema.plan.document import Plan
from skills.planner.schema.review.document import Review
from skills.planner.schema.run import Run
from skills.planner.state.files import change_run, plan_store, run_store
from skills.planner.state.reviews import review_store
from tests.wording import carries

from . import hostile
from .hostile import HARM, PROBE, Place, places, said

EVERY = list(dict.fromkeys(place for cls in (Plan, Review, Run) for place in places(cls)))
NAMES = {
    *("id", "decision_ref", "decision_refs", "intent_ref", "wave", "milestone", "milestones", "group", "accepted"),
    *("scope", "code", "documentation", "done", "plan_digest", "context_digest", "approval", "digest"),
}
"""Fields of which some accept only ids, digests or places of a diagram, and no text."""
UNSHOWN = {Place(DiagramNode, "id")}
"""A field for any text that is not shown: edges name the node by it."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Make a run that has content in every field."""
    made = str(tmp_path_factory.mktemp("run"))
    init(made, "add limits", project_root=made)
    change_run(made, hostile.run)
    plan_store(made).change(lambda _: (hostile.PLAN, None))
    review_store(made, hostile.REVIEW.phase).create(hostile.REVIEW)
    return made


def page(state_dir: str) -> html.HtmlElement:
    document = report(state_dir)
    assert document is not None
    return html.document_fromstring(render_html(document))


def changed(folder: str, text: str, at: Place | None = None) -> tuple[html.HtmlElement, set[Place]]:
    """Return the page of the run with the text in it, and its places."""
    took: set[Place] = set()

    def met(place: Place, taken: bool) -> None:
        took.update({place} if taken else ())

    state = run_store(folder).load()
    review = said(hostile.REVIEW, text, at, met)
    try:
        change_run(folder, lambda run: said(run, text, at, met))
        plan_store(folder).change(lambda _: (said(hostile.PLAN, text, at, met), None))
        review_store(folder, review.phase).change(lambda _: (review, None))
        return page(folder), took
    finally:
        change_run(folder, lambda _: state)


def test_a_harmful_text_in_every_field_of_the_state_is_text_in_the_report(folder: str) -> None:
    root, took = changed(folder, HARM)
    assert len(took) > 30
    harmless = changed(folder, "x ")[0]
    assert {element.tag for element in root.iter()} <= {element.tag for element in harmless.iter()}
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")]
    assert not [link for _, name, link, _ in root.iterlinks() if name and not link.startswith("#")]
    assert root.text_content().count("<script>window.hacked=1") >= len(took)


@pytest.mark.parametrize("place", EVERY, ids=lambda place: f"{place.cls.__name__}.{place.name}")
def test_report_shows_every_value_that_a_field_may_have(place: Place, folder: str) -> None:
    root, took = changed(folder, PROBE, place)
    shown = PROBE in root.text_content()
    assert shown == (place in took and place not in UNSHOWN)


def test_every_field_of_the_state_was_walked_and_takes_the_text_unless_it_is_a_name(folder: str) -> None:
    met: dict[Place, bool] = {}
    for value in (run_store(folder).load(), hostile.PLAN, hostile.REVIEW):
        said(value, HARM, met=lambda place, taken: met.update({place: taken or met.get(place, False)}))
    assert set(met) == set(EVERY)
    assert {place.name for place, taken in met.items() if not taken} <= NAMES


def test_report_shows_rounds_and_gates_of_a_phase_without_a_review(folder: str) -> None:
    (history,) = (
        each.getparent().getparent() for each in page(folder).xpath("//section/h3") if each.text == "plan-design"
    )
    found = {section.findtext("h3"): section.text_content() for section in history.iterfind("section")}
    assert (list(found)[:2], len(found)) == (["plan-design", "plan-code"], 4)
    design = found["plan-design"]
    assert carries(design, "FAIL: qa-001 … PASS: qa-002 … Round 6")
