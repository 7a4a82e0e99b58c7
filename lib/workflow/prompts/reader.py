"""A reader of prompts from a Markdown file: one section per step, `## step-id: Title`."""

from ..errors import WorkflowError
from .markdown import Section, read_page


def read_prompts(path: str) -> dict[str, Section]:
    """Read the sections of a file by step id; text above the first section is for its authors. Raises WorkflowError."""
    prompts: dict[str, Section] = {}
    wrong: list[str] = []
    for heading, text, line in read_page(path)[1]:
        name, colon, title = (part.strip() for part in heading.partition(":"))
        if not (colon and name and title):
            wrong.append(f"{line}: write the heading as `## step-id: Title`, got {f'## {heading}'!r:.60}")
        elif name in prompts:
            wrong.append(f"{line}: duplicate section {name!r}; the first is at line {prompts[name].line}")
        elif not text.strip():
            wrong.append(f"{line}: section {name!r} is empty; say what to do")
        else:
            prompts[name] = Section(title, text, line)
    refuse(path, wrong)
    return prompts


def refuse(path: str, wrong: list[str]) -> None:
    """Raise WorkflowError with all errors of a file; do nothing if there are none."""
    if wrong:
        raise WorkflowError(
            "\n".join(f"{path}:{reason}" if reason[0].isdigit() else f"{path}: {reason}" for reason in wrong)
        )
