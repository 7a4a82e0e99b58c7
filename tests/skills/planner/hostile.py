"""A hostile text in every text field of the planner's state, found by walking the classes.

New fields of a class are included. If PLAN, RUN and REVIEW have no value of a class, `unseen` reports it.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar, get_args, get_type_hints

from attrs import AttrsInstance, evolve, fields, frozen, has

from lib.workflow.types import AgentRole, Severity
from skills.planner.schema.phase import Phase
from skills.planner.schema.plan.document import InvisibleKnowledge
from skills.planner.schema.review.correction import Correction
from skills.planner.schema.review.document import ItemStatus, Review, ReviewItem
from skills.planner.schema.run import (
    Answer,
    Building,
    Contest,
    Grant,
    PassedGate,
    Reopening,
    Round,
    Run,
    Submission,
    Verdict,
)

from .plans import CHANGE, CODE, DIAGRAM, DOCS
from .plans import PLAN as COMPLETE

HARM = (
    "</p></style></script><script>window.hacked=1</script><img src=x onerror=window.hacked=1> \"'` "
    "javascript:window.hacked=1 [a](javascript:alert(1)) DL-001 &lt;b&gt; "
)
PROBE = "<b>seen<b>"
"""One word without a slash, short enough for every label."""

T = TypeVar("T", bound=AttrsInstance)
_DRAWN = evolve(DIAGRAM, id="DIAG-002", scope="overview", ascii_render=None)
PLAN = evolve(
    COMPLETE,
    diagram_graphs=(DIAGRAM, _DRAWN, evolve(_DRAWN, id="DIAG-003", scope="invisible_knowledge")),
    invisible_knowledge=InvisibleKnowledge(system="one", invariants=("two",), tradeoffs=("three",)),
    milestones=(
        evolve(
            CODE,
            requirements=("r",),
            tests=("t",),
            delegated_to="somebody",
            code_changes=(evolve(CHANGE, comments="c"),),
        ),
        DOCS,
    ),
)
"""A plan with content in every field."""
REVIEW = Review(
    phase=Phase.PLAN_CODE,
    iteration=2,
    items=(
        ReviewItem(
            id="qa-001",
            scope="*",
            check="c",
            status=ItemStatus.FAIL,
            finding="f",
            judged=2,
            owner=AgentRole.ARCHITECT,
            corrections=(Correction(iteration=2, finding="g", reason="r"),),
            group="g",
            category="c",
            severity=Severity.MUST,
        ),
        ReviewItem(id="qa-002", scope="*", check="c"),
        ReviewItem(id="qa-003", scope="*", check="c", status=ItemStatus.PASS, evidence="e", judged=1),
    ),
)
_AT: Any = {"phase": Phase.PLAN_DESIGN}
_CORRECTED = Correction(iteration=1, finding="g", reason="r")
_VERDICT = Verdict(item="qa-001", check="c", status=ItemStatus.FAIL, finding="f", corrections=(_CORRECTED,))


def run(of: Run) -> Run:
    """Return that run, with content in every part of its ledger."""
    return evolve(
        of,
        rounds=(Round(iteration=1, verdicts=(_VERDICT, Verdict(item="qa-002", status=ItemStatus.PASS)), **_AT),),
        checks=(Round(phase=Phase.IMPL_CODE, wave="W-001", iteration=1, verdicts=(_VERDICT,)),),
        gates=(PassedGate(plan_digest="0" * 64, digest="0" * 64, accepted=("qa-001",), **_AT),),
        grants=(Grant(iteration=6, **_AT),),
        answers=(Answer(header="Store", text="In memory", **_AT),),
        submissions=(Submission(iteration=1, digest="0" * 64, **_AT),),
        contests=(Contest(iteration=2, item="qa-001", case="c", **_AT),),
        reopened=(Reopening(phase=Phase.PLAN_DESIGN, reason="r", approval="0" * 64),),
        building=Building(wave="W-001", code=("M-001",)),
        waves=(Building(wave="W-001", code=("M-001",)),),
    )


@frozen
class Place:
    """A field that holds a text or several."""

    cls: type
    name: str


def places(cls: type, seen: frozenset[type] = frozenset()) -> Iterator[Place]:
    """Yield every such field of a class, and of the classes of its fields."""
    hints = get_type_hints(cls)
    for each in fields(cls):
        for part in _parts(hints[each.name]):
            if part is str:
                yield Place(cls, each.name)
            elif isinstance(part, type) and has(part) and part not in seen:
                yield from places(part, seen | {part})


def said(value: T, text: str, at: Place | None = None, met: Callable[[Place, bool], object] = lambda *_: None) -> T:
    """Return the value with the text before its texts, or only at one place, in the longest form that the field takes.

    `met` gets each place, and True if it accepted the text.
    """
    hints = get_type_hints(type(value))
    for each in fields(type(value)):
        held, place = getattr(value, each.name), Place(type(value), each.name)
        if has(type(held)):
            value = _with(value, **{each.name: said(held, text, at, met)})
        elif isinstance(held, tuple) and held and has(type(held[0])):
            value = _with(value, **{each.name: tuple(said(item, text, at, met) for item in held)})
        elif str in _parts(hints[each.name]) and at in (None, place):
            many = isinstance(held, tuple)
            for form in forms(text):
                filled = tuple(form.format(item) for item in held or ("",)) if many else form.format(held or "")
                try:
                    value = _with(value, **{each.name: filled})
                except ValueError:
                    continue
                met(place, True)
                break
            else:
                met(place, False)
    return value


def forms(text: str) -> Iterator[str]:
    """Yield the text in forms that fields accept, with `{}` for the earlier text: lines, one line, a path, a label."""
    quoted = text.replace("{", "{{").replace("}", "}}")
    yield f"{quoted}\n{{}}\n{quoted}"
    yield f"{quoted}{{}}"
    yield f"/{quoted}{{}}"
    yield f"{quoted}:L1"
    yield "<script>window.hacked=1</script> \"' {}"
    yield "<script>window.hacked=1<!--script>\"':L1"


def _with(value: T, **changes: object) -> T:
    build: Callable[..., T] = type(value)
    return build(**{each.name: changes.get(each.name, getattr(value, each.name)) for each in fields(type(value))})


def _parts(hint: object) -> Iterator[object]:
    """Yield the types that a hint is made of."""
    inner = get_args(hint)
    if not inner:
        yield hint
    for part in inner:
        yield from _parts(part)
