"""The planner's texts: shared sections, with the phase's own parts inserted."""

import os
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from lib.workflow.errors import WorkflowError
from lib.workflow.prompts import read_prompts
from lib.workflow.prompts.markdown import Section

from .schema.phase import Phase

FOLDER: Final = os.path.join(os.path.dirname(__file__), "prompts")
PART: Final = "{{phase_part}}"
"""The place at which a shared section takes the section of the same name from the phase's own file."""
CATEGORY: Final = "category-"
"""The prefix of sections in a phase's file that explain a category of items."""


@cache
def sections(name: str) -> Mapping[str, Section]:
    """Return the sections of a file in their order. Raises WorkflowError."""
    return MappingProxyType(read_prompts(os.path.join(FOLDER, f"{name}.md")))


def for_phase(name: str, phase: Phase) -> Mapping[str, Section]:
    """Return the sections of a shared file with the phase's inserted. Raises WorkflowError for a missing one."""
    shared = sections(name)
    if not any(PART in prompt.text for prompt in shared.values()):
        return shared
    own = sections(phase)
    whole: dict[str, Section] = {}
    for key, prompt in shared.items():
        if PART in prompt.text and key not in own:
            raise WorkflowError(f"{FOLDER}/{phase}.md: no section `## {key}: …`, which {name}.md takes from it")
        whole[key] = prompt._replace(text=prompt.text.replace(PART, own[key].text)) if PART in prompt.text else prompt
    return whole


def categories(phase: Phase) -> dict[str, str]:
    """Return the guidance for each category of a phase's items, by the category's name."""
    own = sections(phase)
    return {name.removeprefix(CATEGORY): own[name].text for name in own if name.startswith(CATEGORY)}
