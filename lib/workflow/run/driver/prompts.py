"""Prompts of the agents that the driver launches, from `prompts.md`."""

import os
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from attrs import evolve

from ...ast.dispatch import Assignment
from ...ast.nodes import Document, Element
from ...ast.relay import UserResponse
from ...ast.step import InvokeAfter
from ...prompts import read_prompts
from ...prompts.slots import inline
from ...render.xml import render
from ...util.characters import printable
from ..clients.job import LIST_BEGIN, LIST_END, Job

NOTHING: Final = "(nothing)"


@cache
def _section(name: str) -> str:
    return read_prompts(os.path.join(os.path.dirname(__file__), "prompts.md"))[name].text


def sub_agent(assignment: Assignment, prompt: str) -> str:
    """Return the prompt of an agent that starts with a command."""
    return inline(_section("sub-agent"), {"prompt": prompt, "command": str(assignment.command)}).strip()


def orchestrator(
    document: Document, request: str, notes: Sequence[str], replies: Sequence[str], ways: Sequence[str], roster: bool
) -> str:
    """Return the prompt of an agent that works on a page; `ways` are the conditions of the ways on."""
    page = Document([block for block in document.blocks if not isinstance(block, InvokeAfter)])
    listed = "\n".join(f"{number}. {way}" for number, way in enumerate(ways, 1))
    endings = [inline(_section("ways"), {"ways": listed})] if ways else []
    endings += [inline(_section("roster"), {"begin": LIST_BEGIN, "end": LIST_END})] if roster else []
    return inline(
        _section("orchestrator"),
        {
            "request": _framed("request", [request] if request else []),
            "notes": _framed("note", notes),
            "replies": _framed("reply", replies),
            "page": render(page),
            "ending": "\n\n".join(endings),
        },
    ).strip()


def _framed(tag: str, texts: Iterable[str]) -> str:
    """Return foreign texts, each in an element that the text cannot close."""
    return "\n\n".join(render(Element(tag, {}, printable(text))) for text in texts) or NOTHING


def relay(document: Document, response: UserResponse) -> str:
    """Return the prompt of the orchestrator after the user has answered an agent."""
    page = orchestrator(document, "", (), (), (), roster=False)
    return f"{page}\n\n{inline(_section('relay'), {'response': render(response)})}"


def told_why(job: Job, reason: str) -> Job:
    """Return the job of a retry, with the reason why the attempt before it failed."""
    if not reason:
        return job
    return evolve(job, prompt=f"{job.prompt}\n\n{inline(_section('again'), {'reason': reason})}")
