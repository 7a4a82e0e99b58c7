"""Texts of steps from a Markdown file: one section per step, `## step-id: Title`."""

import os

from attrs import evolve

from ..prompts.reader import read_prompts, refuse
from .step import StepDef


def with_prompts(beside: str, name: str, *steps: StepDef) -> tuple[StepDef, ...]:
    """Return the steps with titles and actions from a Markdown file with one section per step, `## step-id: Title`.

    Args:
        beside: A file in the folder of the Markdown file: the module's `__file__`.
        name: Name of the Markdown file.
        steps: Steps without title and actions.

    Raises:
        WorkflowError: With file and line, if the file cannot be read, a section has no step or text, or a step has
            no section or has a text of its own.

    Example:
        `with_prompts(__file__, "prompts.md", StepDef(id="look", next={Outcome.OK: None}))`
    """
    path = os.path.join(os.path.dirname(beside), name)
    prompts = read_prompts(path)
    unknown = sorted(prompts.keys() - {step.id for step in steps})
    strangers = [f"{prompts[name].line}: no step has the id {name!r}" for name in unknown]
    missing = [f"no section `## {step.id}: Title`" for step in steps if step.id not in prompts]
    double = [
        f"{prompts[step.id].line}: step {step.id} has a text of its own; keep one"
        for step in steps
        if step.actions or step.title
    ]
    refuse(path, [*strangers, *missing, *double])
    return tuple(evolve(step, title=prompts[step.id].title, actions=prompts[step.id].text) for step in steps)
