"""An explorer's category and sources, in each mode."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from lib.workflow.core import StepContext
from skills.conventions.categories import Category, Part, read_category

from .modes import Mode

PARTS: Final[Mapping[Mode, tuple[Part, ...]]] = MappingProxyType(
    {Mode.DESIGN: (Part.DESIGN,), Mode.CODE: (Part.CODE,), Mode.BOTH: (Part.DESIGN, Part.CODE)}
)
READS: Final[Mapping[Mode, str]] = MappingProxyType(
    {
        Mode.DESIGN: "documents, interfaces, schemas, imports and build files, but not the bodies of functions",
        Mode.CODE: "source and tests, and accept how the modules are divided",
        Mode.BOTH: "documents, interfaces and imports first, then source and tests",
    }
)


def category(context: StepContext) -> Category:
    """Return the category of this explorer."""
    return read_category(str(context.step_state["category"]))


def title(context: StepContext) -> str:
    """Return the category in one sentence."""
    return category(context).title


def part(name: Part) -> Callable[[StepContext], str]:
    """Return a slot with one part of the category."""
    return lambda context: category(context).parts[name]


def variants(context: StepContext) -> str:
    """Return the signs of the category in this mode."""
    parts = category(context).parts
    return "\n\n".join(f"{name}:\n\n{parts[name]}" for name in PARTS[_mode(context)])


def reads(context: StepContext) -> str:
    """Return the sources to read in this mode."""
    return READS[_mode(context)]


def _mode(context: StepContext) -> Mode:
    return Mode(str(context.step_state["mode"]))
