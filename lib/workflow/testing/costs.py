"""The costs of a run: the texts shown to each agent, and their sums."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from attrs import frozen

from ..types import AgentRole

SHORTEST: Final = 24
"""Minimum characters of a line that can count as repeated: shorter ones are tags, headings and list marks."""


STRUCTURE: Final = re.compile(r"""<[^<>]*>$|<step_header .*</step_header>$|(?:'[^']*'|\S+) (?:-\w+ )*-m [\w.]+""")
"""Pattern of a line that is one tag, a step's header, or begins with a Python command."""


class TextKind(StrEnum):
    """Kinds of texts shown to agents."""

    PROMPT = "prompt"
    """The prompt of an agent's launch."""
    PAGE = "page"
    """The output of a step."""
    REPLY = "reply"
    """The output of any other command."""


class Context:
    """The texts shown to one agent. An agent that is launched again starts with an empty context.

    A line counts as repeated if it has at least `SHORTEST` characters, without indentation, and an earlier text of the
    same context contains exactly that line. Equal lines within one text are not repeated. Headers, tags and commands
    never count as repeated, because a page needs them.
    """

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def add(self, text: str) -> int:
        """Add a text to the context.

        Returns:
            The number of its characters in repeated lines.
        """
        lines = [line.strip() for line in text.split("\n")]
        long = [line for line in lines if len(line) >= SHORTEST and not STRUCTURE.match(line)]
        repeated = sum(len(line) for line in long if line in self._seen)
        self._seen.update(long)
        return repeated


@frozen(kw_only=True)
class Shown:
    """One text shown to one agent."""

    agent: int
    """Number of the launch; 0 is the orchestrating agent."""
    role: AgentRole
    kind: TextKind
    name: str = ""
    """Script of a page; for other commands, the table's module and the command's name, or the module."""
    step: int = 0
    """Number of a page's step; `title` is its title."""
    title: str = ""
    characters: int
    repeated: int = 0


@frozen(kw_only=True)
class Cost:
    """The sum of several texts."""

    agents: int
    """Number of launched agents."""
    commands: int
    """Number of commands that agents ran, including those that print pages."""
    pages: int
    characters: int
    """Characters that commands printed."""
    repeated: int
    """Number of these characters in lines that the same agent saw before."""
    prompts: int
    """Characters of the prompts of launches."""
    largest_page: int

    @property
    def percent(self) -> float:
        """Return the percentage of repeated text."""
        return 100 * self.repeated / max(self.characters, 1)


def cost_of(shown: Iterable[Shown]) -> Cost:
    """Sum texts up."""
    texts = tuple(shown)
    prints = [each for each in texts if each.kind is not TextKind.PROMPT]
    pages = [each.characters for each in texts if each.kind is TextKind.PAGE]
    return Cost(
        agents=len(texts) - len(prints),
        commands=len(prints),
        pages=len(pages),
        characters=sum(each.characters for each in prints),
        repeated=sum(each.repeated for each in prints),
        prompts=sum(each.characters for each in texts if each.kind is TextKind.PROMPT),
        largest_page=max(pages, default=0),
    )


def by_role(shown: Sequence[Shown]) -> Mapping[str, Cost]:
    """Return the costs by the role of the agent, the highest first."""
    return _grouped(shown, lambda each: each.role)


def by_kind(shown: Sequence[Shown]) -> Mapping[str, Cost]:
    """Return the costs by script of pages and by name of other commands, the highest first."""
    return _grouped([each for each in shown if each.kind is not TextKind.PROMPT], lambda each: each.name)


def by_agent(shown: Iterable[Shown]) -> Sequence[Sequence[Shown]]:
    """Return the texts by agent, the orchestrating agent first."""
    agents: dict[int, list[Shown]] = {}
    for each in shown:
        agents.setdefault(each.agent, []).append(each)
    return list(agents.values())


def by_step(shown: Sequence[Shown]) -> Mapping[str, Cost]:
    """Return the costs by the orchestrating agent's steps, including the agents that each launches, in order."""
    at = ""
    groups: dict[str, list[Shown]] = {}
    for each in shown:
        if each.role is AgentRole.ORCHESTRATOR and each.kind is TextKind.PAGE:
            at = f"{each.name} {each.step}: {each.title}"
        groups.setdefault(at, []).append(each)
    return {name: cost_of(group) for name, group in groups.items()}


def _grouped(shown: Iterable[Shown], name: Callable[[Shown], str]) -> Mapping[str, Cost]:
    groups: dict[str, list[Shown]] = {}
    for each in shown:
        groups.setdefault(name(each), []).append(each)
    costs = {name: cost_of(group) for name, group in groups.items()}
    return dict(sorted(costs.items(), key=lambda item: -item[1].characters))
