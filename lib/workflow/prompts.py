"""Steps' texts from a Markdown file: one section a step, `## step-id: Title`."""

import os

from attrs import evolve

from .errors import WorkflowError
from .pages import Section, read_page
from .steps import StepDef


def with_prompts(beside: str, name: str, *steps: StepDef) -> tuple[StepDef, ...]:
    """The steps with titles and actions from the file `name` in the folder of the module file `beside`.

    Raises WorkflowError, with file and line, for a file that cannot be read, a section without a step or a text, and a
    step without a section or with a text of its own.
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
    _refuse(path, [*strangers, *missing, *double])
    return tuple(evolve(step, title=prompts[step.id].title, actions=prompts[step.id].text) for step in steps)


def read_prompts(path: str) -> dict[str, Section]:
    """The sections of a file by step id; what stands before the first is for its authors. Raises WorkflowError."""
    prompts: dict[str, Section] = {}
    wrong: list[str] = []
    for heading, text, line in read_page(path)[1]:
        name, colon, title = (part.strip() for part in heading.partition(":"))
        if not (colon and name and title):
            wrong.append(f"{line}: write the heading as `## step-id: Title`, got {f'## {heading}'!r:.60}")
        elif name in prompts:
            wrong.append(f"{line}: a second section {name!r}; the first is at line {prompts[name].line}")
        elif not text.strip():
            wrong.append(f"{line}: section {name!r} is empty; say what to do")
        else:
            prompts[name] = Section(title, text, line)
    _refuse(path, wrong)
    return prompts


def _refuse(path: str, wrong: list[str]) -> None:
    if wrong:
        raise WorkflowError(
            "\n".join(f"{path}:{reason}" if reason[0].isdigit() else f"{path}: {reason}" for reason in wrong)
        )
