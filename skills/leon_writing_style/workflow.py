"""Writing in a voice: from a wish to a text in a style guide's voice, without the traits of a machine. Nine steps."""

from collections.abc import Callable
from typing import Annotated, Final, Literal, TypeAlias

from lib.workflow.ast.nodes import Element
from lib.workflow.ast.step import Invoke
from lib.workflow.command import Command
from lib.workflow.core import Arg, Outcome, State, StepContext, StepDef, Workflow, with_prompts

from .guide import SHIPPED, Guide, read_guide

MAX_POINT: Final = 25
"""Most words of the one thing to say."""
MAX_QUESTIONS: Final = 7
COPIED: Final = 4
"""Words in a row from which on a likeness is a copy."""
MAX_TELLS: Final = 15
"""Most rows that one rewriting can handle."""
MAX_CHANGES: Final = 12
"""Most changes of the last polish."""
LONG: Final = 30
"""Words from which on the last polish checks a sentence for its length alone."""
MAX_REPAIRS: Final = 2
"""Most rounds of fixes in the check; they stop gaining early (Javaji 2025, arXiv:2509.06770)."""
MARGIN: Final = 15
"""Percent by which a text may exceed the requested length."""

Path: TypeAlias = Annotated[
    str, Arg(description="the style guide, a Markdown file (default: the example guide)", path=True)
]
Slot: TypeAlias = Callable[[StepContext], str | Element]


def classify(context: StepContext, guide: Path | None = None) -> tuple[Literal[Outcome.OK], State]:
    """Read the whole guide, so that a missing part shows before any work."""
    _guide(context)
    return Outcome.OK, {}


def _path(context: StepContext) -> str:
    named = context.workflow_params["guide"]
    return named if isinstance(named, str) else SHIPPED


def _guide(context: StepContext) -> Guide:
    return read_guide(_path(context))


def _voice(context: StepContext) -> str:
    return _guide(context).voice


def _part(heading: str) -> Slot:
    """Return a slot with a part of the guide."""

    def part(context: StepContext) -> Element:
        text = _guide(context).parts[heading]
        return Element("guide", {"part": heading}, text or "The guide says nothing about this.")

    return part


def _to_read(context: StepContext) -> str:
    from .tells import to_read  # only the steps that print tells pay for it

    return to_read()


def _measure(context: StepContext) -> Invoke:
    return Invoke(Command("skills.leon_writing_style.measure"))


WORKFLOW = Workflow(
    "leon-writing-style",
    *with_prompts(
        __file__,
        "prompts.md",
        StepDef(
            id="classify",
            handler=classify,
            next={Outcome.OK: "purpose"},
            slots={"voice": _voice, "guide_file": _path, "forms": _part("Forms")},
        ),
        StepDef(
            id="purpose",
            next={Outcome.OK: "draft"},
            slots={"max_point": MAX_POINT, "max_questions": MAX_QUESTIONS},
        ),
        StepDef(
            id="draft",
            next={Outcome.OK: "tells"},
            slots={
                "copied": COPIED,
                "margin": MARGIN,
                "voice": _part("Voice"),
                "rules": _part("Rules"),
                "samples": _part("Samples"),
            },
        ),
        StepDef(
            id="tells",
            next={Outcome.OK: "marks"},
            slots={"guide_file": _path, "measure": _measure, "to_read": _to_read, "max_tells": MAX_TELLS},
        ),
        StepDef(
            id="marks",
            next={Outcome.OK: "align"},
            slots={"guide_file": _path, "marks": _part("Marks")},
        ),
        StepDef(
            id="align",
            next={Outcome.OK: "consolidate"},
            slots={"guide_file": _path, "avoid": _part("Avoid")},
        ),
        StepDef(id="consolidate", next={Outcome.OK: "refine"}, slots={"margin": MARGIN}),
        StepDef(
            id="refine",
            next={Outcome.OK: "check"},
            slots={"max_changes": MAX_CHANGES, "long": LONG},
        ),
        StepDef(
            id="check",
            next={Outcome.OK: None},
            slots={
                "measure": _measure,
                "guide_file": _path,
                "max_repairs": MAX_REPAIRS,
            },
        ),
    ),
    module="skills.leon_writing_style.write",
    description="Write a text, or rewrite one, in the voice of a style guide and without the traits of a machine.",
    params=("guide",),
    tags=("guide",),
)
