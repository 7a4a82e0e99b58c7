"""The conventions, by name: one Markdown file each beside this module, the only one that knows their folder."""

import os
from typing import Final

from lib.workflow.errors import WorkflowError
from lib.workflow.prompts.markdown import read_text
from lib.workflow.util.suggest import expected

FOLDER: Final = os.path.dirname(__file__)


def convention_names() -> tuple[str, ...]:
    """Return the names that `get_convention` accepts, sorted."""
    return tuple(sorted(name.removesuffix(".md") for name in os.listdir(FOLDER) if name.endswith(".md")))


def get_convention(name: str) -> str:
    """Return the text of a convention. Raises WorkflowError for an unknown name, with the nearest.

    Callers write the name as a literal: a test looks each of them up.
    """
    if name not in convention_names():
        raise WorkflowError(f"there is no convention {name!r:.60}; {expected(name, convention_names())}")
    return read_text(os.path.join(FOLDER, f"{name}.md"))
