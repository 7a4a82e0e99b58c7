"""The conventions, by name: one Markdown file each beside this module, which is the only one that knows where."""

import os
from typing import Final

from lib.workflow.errors import WorkflowError
from lib.workflow.prompts.markdown import read_text

FOLDER: Final = os.path.dirname(__file__)


def convention_names() -> tuple[str, ...]:
    """What `get_convention` can be asked for, sorted."""
    return tuple(sorted(name.removesuffix(".md") for name in os.listdir(FOLDER) if name.endswith(".md")))


def get_convention(name: str) -> str:
    """The text of a convention. Raises WorkflowError for a name that none has, with the nearest.

    Callers write the name as a literal: a test looks each of them up.
    """
    if name not in convention_names():
        from lib.workflow.util.suggest import expected

        raise WorkflowError(f"there is no convention {name!r:.60}; {expected(name, convention_names())}")
    return read_text(os.path.join(FOLDER, f"{name}.md"))
