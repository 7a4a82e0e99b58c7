"""The costs of a run: each text that an agent was shown, and what such texts add up to."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from attrs import frozen

from ..types import AgentRole

SHORTEST: Final = 24
"""Characters of a line that can count as repeated: shorter ones are tags, headings and list marks."""


STRUCTURE: Final = re.compile(r"""<[^<>]*>$|<step_header .*</step_header>$|(?:'[^']*'|\S+) (?:-\w+ )*-m [\w.]+""")
"""A line that is one tag, a step's header, or begins with a command that Python runs."""


class TextKind(StrEnum):
    """Kinds of text that an agent is shown."""

    PROMPT = "prompt"
    """The prompt of its launch."""
    PAGE = "page"
    """The print of a step."""
    REPLY = "reply"
    """The print of any other command."""


class Context:
    """The text that one agent has been shown. An agent that is launched again starts with an empty one.

    A line counts as repeated if it has at least `SHORTEST` characters, indentation aside, and an earlier text of the
    same context holds exactly that line. Equal lines within one text are not repeated. Headers, tags and commands to
    run are never counted as repeated: a page without them could not be followed.
    """

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def add(self, text: str) -> int:
        """Show a text.

        Returns:
            How many of its characters are in repeated lines.
        """
        lines = [line.strip() for line in text.split("\n")]
        long = [line for line in lines if len(line) >= SHORTEST and not STRUCTURE.match(line)]
        repeated = sum(len(line) for line in long if line in self._seen)
        self._seen.update(long)
        return repeated


@frozen(kw_only=True)
class Shown:
    """One text that one agent was shown."""

    agent: int
    """The number of the launch; 0 is the orchestrating agent."""
    role: AgentRole
    kind: TextKind
    name: str = ""
    """The script of a page; of another command its table's module and its own name, else its module."""
    step: int = 0
    """Of a page, as its title is."""
    title: str = ""
    characters: int
    repeated: int = 0


@frozen(kw_only=True)
class Cost:
    """What several texts add up to."""

    agents: int
    """How many agents were launched."""
    commands: int
    """How many commands agents ran, those that print pages included."""
    pages: int
    characters: int
    """What commands printed."""
    repeated: int
    """How many of these characters are in lines that the same agent was shown before."""
    prompts: int
    """Characters of the prompts of launches."""
    largest_page: int

    @property
    def percent(self) -> float:
        """The share of repeated text."""
        return 100 * self.repeated / max(self.characters, 1)


def cost_of(shown: Iterable[Shown]) -> Cost:
    """Add texts up."""
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
    """The costs by the role of the agent, the highest first."""
    return _grouped(shown, lambda each: each.role)


def by_kind(shown: Sequence[Shown]) -> Mapping[str, Cost]:
    """The costs by the script of pages and by the name of other commands, the highest first."""
    return _grouped([each for each in shown if each.kind is not TextKind.PROMPT], lambda each: each.name)


def by_agent(shown: Iterable[Shown]) -> Sequence[Sequence[Shown]]:
    """What each agent was shown, the orchestrating agent first."""
    agents: dict[int, list[Shown]] = {}
    for each in shown:
        agents.setdefault(each.agent, []).append(each)
    return list(agents.values())


def by_step(shown: Sequence[Shown]) -> Mapping[str, Cost]:
    """The costs by the steps of the orchestrating agent, with the agents that each launches, in their order."""
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
