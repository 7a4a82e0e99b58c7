"""The planner's texts: shared sections, with what differs by phase put in its place."""

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
"""Where a shared section takes the section of the same name from the phase's own file."""
CATEGORY: Final = "category-"
"""What the sections of a phase's file begin with that tell what items of a category are about."""


@cache
def sections(name: str) -> Mapping[str, Section]:
    """The sections of a file in their order. Raises WorkflowError."""
    return MappingProxyType(read_prompts(os.path.join(FOLDER, f"{name}.md")))


def for_phase(name: str, phase: Phase) -> Mapping[str, Section]:
    """The sections of a shared file, the phase's in their places. Raises WorkflowError for one that is missing."""
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
    """What is looked at for items of each category of a phase, by the category's name."""
    own = sections(phase)
    return {name.removeprefix(CATEGORY): own[name].text for name in own if name.startswith(CATEGORY)}
