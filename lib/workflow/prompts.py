"""Steps' texts from a Markdown file: one section a step, `## step-id: Title`."""

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from attrs import evolve

from .errors import WorkflowError
from .steps import StepDef


class Prompt(NamedTuple):
    """One section of a prompts file."""

    title: str
    text: str
    line: int
    """Of its heading, from 1."""


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


def read_prompts(path: str) -> dict[str, Prompt]:
    """The sections of a file by step id; what stands before the first is for its authors. Raises WorkflowError."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().removeprefix("\ufeff").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise WorkflowError(f"{path}: cannot be read: {error}") from None
    prompts: dict[str, Prompt] = {}
    wrong: list[str] = []
    for start, end in sections(lines):
        name, colon, title = lines[start][2:].partition(":")
        text = "\n".join(lines[start + 1 : end]).strip("\n")
        if not (colon and name.strip() and title.strip()):
            wrong.append(f"{start + 1}: write the heading as `## step-id: Title`, got {lines[start]!r:.60}")
        elif name.strip() in prompts:
            wrong.append(
                f"{start + 1}: a second section {name.strip()!r}; the first is at line {prompts[name.strip()].line}"
            )
        elif not text.strip():
            wrong.append(f"{start + 1}: section {name.strip()!r} is empty; say what to do")
        else:
            prompts[name.strip()] = Prompt(title.strip(), text, start + 1)
    _refuse(path, wrong)
    return prompts


def sections(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """First and end line of each section that a `## ` begins.

    One within a fenced block is no heading (CommonMark 0.31, section 4.5).
    """
    fence = ""
    start: int | None = None
    for number, line in enumerate(lines):
        mark = _fence(line)
        if fence:
            closes = mark[:1] == fence[:1] and len(mark) >= len(fence) and line.strip() == mark
            fence = "" if closes else fence
        elif mark:
            fence = mark
        elif line.startswith("## "):
            if start is not None:
                yield start, number
            start = number
    if start is not None:
        yield start, len(lines)


def _fence(line: str) -> str:
    """The fence that a line begins with, or nothing."""
    text = line.lstrip(" ")
    for mark in "`~":
        length = len(text) - len(text.lstrip(mark))
        if length >= 3 and len(line) - len(text) < 4 and not (mark == "`" and "`" in text[length:]):
            return mark * length
    return ""


def _refuse(path: str, wrong: list[str]) -> None:
    if wrong:
        raise WorkflowError(
            "\n".join(f"{path}:{reason}" if reason[0].isdigit() else f"{path}: {reason}" for reason in wrong)
        )
