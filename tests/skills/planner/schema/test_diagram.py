"""Refusals of diagrams: a meaningless value is refused with its field."""

from collections.abc import Callable

import pytest

from skills.planner.schema.plan.diagram import MAX_LABEL, Diagram, DiagramEdge, DiagramNode

BAD: dict[str, tuple[Callable[[], object], str]] = {
    "an unknown scope": (lambda: Diagram(id="DIAG-001", scope="milestones", title="t"), "invisible_knowledge"),
    "a milestone without a name": (lambda: Diagram(id="DIAG-001", scope="milestone:", title="t"), "M-001"),
    "another kind's id": (lambda: Diagram(id="M-001", scope="overview", title="t"), "DIAG-001"),
    "a label without end": (lambda: DiagramNode(id="a", label="x" * (MAX_LABEL + 1)), str(MAX_LABEL)),
    "a label of two lines": (lambda: DiagramEdge(source="a", target="b", label="x\ny"), r"DiagramEdge\.label"),
    "a blank label": (lambda: DiagramNode(id="a", label=" "), r"DiagramNode\.label"),
    "a blank type": (lambda: DiagramNode(id="a", label="x", type=""), r"DiagramNode\.type"),
}


@pytest.mark.parametrize("name", BAD)
def test_invalid_value_is_refused_with_its_field(name: str) -> None:
    make, said = BAD[name]
    with pytest.raises(ValueError, match=said):
        make()


@pytest.mark.parametrize(("scope", "milestone"), [("overview", None), ("milestone:M-007", "M-007")])
def test_scope_gives_the_milestone_or_none(scope: str, milestone: str | None) -> None:
    assert Diagram(id="DIAG-001", scope=scope, title="t").milestone == milestone
