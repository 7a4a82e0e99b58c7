"""Readers of a run's pages, and the blocks that pages name."""

import re
from collections.abc import Iterable
from typing import Final

from lib.workflow.render.text import render_text
from lib.workflow.testing.reader import Page
from lib.workflow.types import AgentRole

NAME: Final = re.compile(r"`([A-Z]{3,})`")


def own(visited: Iterable[Page]) -> list[Page]:
    """Return the orchestrator's pages."""
    return [page for page in visited if page.role is AgentRole.ORCHESTRATOR]


def of_agents(visited: Iterable[Page]) -> list[Page]:
    """Return the pages of the agents that it launched."""
    return [page for page in visited if page.role is not AgentRole.ORCHESTRATOR]


def named(pages: Iterable[Page]) -> set[str]:
    """Return the blocks that pages name."""
    return {name for page in pages for name in NAME.findall(render_text(page.document))}
