"""Detection of the clients that a user has, by their programs and folders."""

import os
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from ....util.search_path import which
from ..clients import Agent, Scope
from ..tree import Tree


class _Signs(NamedTuple):
    """Evidence that a user has a client."""

    program: str
    folders: Mapping[Scope, str]


def _signs(program: str, project: str, user: str) -> _Signs:
    return _Signs(program, MappingProxyType({Scope.PROJECT: project, Scope.USER: user}))


SIGNS: Final[Mapping[Agent, _Signs]] = MappingProxyType(
    {
        Agent.CLAUDE: _signs("claude", ".claude", ".claude"),
        Agent.CODEX: _signs("codex", ".codex", ".codex"),
        Agent.GEMINI: _signs("gemini", ".gemini", ".gemini"),
        # most repositories have a folder `.github`
        Agent.COPILOT: _signs("copilot", ".github/agents", ".copilot"),
        Agent.OPENCODE: _signs("opencode", ".opencode", ".config/opencode"),
        Agent.CURSOR: _signs("cursor-agent", ".cursor", ".cursor"),
    }
)


def detected(project: Tree | None, home: Tree | None) -> Mapping[Agent, str]:
    """Return the clients that are here, each with the evidence: a program's path, or a folder.

    Args:
        project: The project's folder, if its folders count.
        home: The user's home folder, if there is one.
    """
    found = ((agent, next(_evidence(agent, project, home), "")) for agent in Agent)
    return MappingProxyType({agent: evidence for agent, evidence in found if evidence})


def _evidence(agent: Agent, project: Tree | None, home: Tree | None) -> Iterator[str]:
    signs = SIGNS[agent]
    program = which(signs.program)
    if program:
        yield program
    for tree, scope in ((project, Scope.PROJECT), (home, Scope.USER)):
        folder = os.path.join(tree.root, signs.folders[scope]) if tree else ""
        if folder and os.path.isdir(folder):
            yield folder
