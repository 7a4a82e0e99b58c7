"""Dispatches of work to other agents: one agent, many with one template, or many with a task each."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeVar

from attrs import field, frozen

from ..command import Command
from ..command.template import CommandTemplate
from ..types import AgentRole, Tier
from ..util.characters import canonical, check_name, one_line
from ..util.structs import Struct
from ..util.suggest import repeated
from .fields import ELEMENT, MAX_ATTRIBUTES, OPEN, TEXT, Node, children, wrapped
from .nodes import Document
from .step import Invoke

T = TypeVar("T")

SLOT_PREFIX: Final = "GROUP_"
"""Prefix of a template's slots: `$GROUP_ID`, and `$GROUP_…` for each value of its targets."""


@frozen(kw_only=True)
class Assignment(Struct):
    """The complete work order of one agent."""

    agent: AgentRole
    tier: Tier | None
    prompt: str | None
    command: Command


@frozen(kw_only=True)
class SubagentDispatchNode(Node):
    """One agent to launch: its role, its prompt, the command that it starts with, and what it must return."""

    tag = "subagent_dispatch"
    agent: AgentRole
    tier: Tier | None = None
    prompt: str | None = field(default=None, metadata=ELEMENT)
    returns: str | None = field(default=None, metadata=ELEMENT)
    invoke: Invoke

    def expand(self) -> tuple[Assignment, ...]:
        """Return the one assignment."""
        return (Assignment(agent=self.agent, tier=self.tier, prompt=self.prompt, command=self.invoke.command),)


def _values(value: Mapping[str, str] | Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    pairs = tuple(value.items() if isinstance(value, Mapping) else value)
    for name, text in pairs:
        if name in ("id", "index") or not check_name(name, "Target.values").isidentifier():
            raise ValueError(
                f"Target.values: {name!r} is not a slot name; use letters, digits and '_', not id or index"
            )
        if not isinstance(text, str):
            raise TypeError(f"Target.values[{name!r}]: expected str, got {type(text).__name__}")
    if len(pairs) > MAX_ATTRIBUTES - 1:
        raise ValueError(f"Target.values: {len(pairs)} values; the limit is {MAX_ATTRIBUTES - 1}")
    if len({name.upper() for name, _ in pairs}) < len(pairs):
        raise ValueError("Target.values: two names fill the same slot")
    return tuple((name, canonical(text, f"Target.values[{name!r}]")) for name, text in pairs)


@frozen(kw_only=True)
class Target(Node):
    """One target of a template: an id, the values that fill the slots, and a title."""

    tag = "group"
    standalone = False
    id: str = field(validator=one_line)
    values: tuple[tuple[str, str], ...] = field(default=(), converter=_values, metadata=OPEN)
    title: str = field(default="", metadata=TEXT)

    def slots(self) -> dict[str, str]:
        """Return the values by slot name."""
        given = {f"{SLOT_PREFIX}{name.upper()}": text for name, text in self.values}
        return {f"{SLOT_PREFIX}ID": self.id, **given}


@frozen
class InvokeTemplate(Node):
    """A command with slots, inside a template."""

    tag = "invoke"
    standalone = False
    command: CommandTemplate


@frozen(kw_only=True)
class Template(Node):
    """The work of each target's agent: the same prompt, and the command with its slots filled."""

    tag = "template"
    standalone = False
    prompt: str | None = field(default=None, metadata=ELEMENT)
    invoke: InvokeTemplate


@frozen(kw_only=True)
class Agent(Node):
    """One agent of a roster, with its own prompt and command."""

    tag = "agent"
    standalone = False
    id: str | None = field(default=None, validator=one_line)
    prompt: str | None = field(default=None, metadata=ELEMENT)
    invoke: Invoke


@frozen(kw_only=True)
class RosterDispatchNode(Node):
    """Agents to launch in parallel, each with its own task, at most `at_most` at a time."""

    tag = "parallel_dispatch"
    count_of = "agents"
    agent: AgentRole
    tier: Tier | None = None
    at_most: int | None = None
    agents: tuple[Agent, ...] = field(metadata=wrapped("agents", numbered=True))
    returns: str | None = field(default=None, metadata=ELEMENT)

    def check(self) -> None:
        _check_many(self.at_most, "agents", [agent.id for agent in self.agents])

    def expand(self) -> tuple[Assignment, ...]:
        """Return one assignment per agent, in order."""
        return tuple(
            Assignment(agent=self.agent, tier=self.tier, prompt=agent.prompt, command=agent.invoke.command)
            for agent in self.agents
        )


@frozen(kw_only=True)
class RosterForm(Node):
    """The format of the agent list that the next command turns into a roster; `sample` is a valid list.

    `least` to `most` entries have at most `characters` each.
    """

    tag = "roster_form"
    least: int | None = None
    most: int | None = None
    characters: int | None = None
    rule: str = field(metadata=ELEMENT)
    sample: str = field(metadata=ELEMENT)


@frozen(kw_only=True)
class TemplateDispatchNode(Node):
    """Agents to launch in parallel, one per target, all with the same template."""

    tag = "parallel_dispatch"
    count_of = "targets"
    agent: AgentRole
    tier: Tier | None = None
    at_most: int | None = None
    targets: tuple[Target, ...] = field(metadata=wrapped("groups"))
    template: Template
    returns: str | None = field(default=None, metadata=ELEMENT)

    def check(self) -> None:
        _check_many(self.at_most, "targets", [target.id for target in self.targets])
        known = {name for target in self.targets for name in target.slots()}
        for name in self.template.invoke.command.slots:
            if name not in known:
                raise ValueError(
                    f"no target has a value for the template's ${name}; targets have {', '.join(sorted(known))}"
                )
            for number, target in enumerate(self.targets, 1):
                if name not in target.slots():
                    raise ValueError(f"target {number} ({target.id!r:.60}) has no value for the template's ${name}")
        self.expand()  # refuses values that a command cannot hold

    def expand(self) -> tuple[Assignment, ...]:
        """Return one assignment per target, in order."""
        return tuple(
            Assignment(
                agent=self.agent,
                tier=self.tier,
                prompt=self.template.prompt,
                command=self.template.invoke.command.fill(target.slots()),
            )
            for target in self.targets
        )

    def roster(self) -> RosterDispatchNode:
        """Return the dispatch with finished commands: agents follow those better than substitution rules."""
        agents = [
            Agent(id=target.id, prompt=assignment.prompt, invoke=Invoke(assignment.command))
            for target, assignment in zip(self.targets, self.expand(), strict=True)
        ]
        return RosterDispatchNode(
            agent=self.agent, tier=self.tier, at_most=self.at_most, returns=self.returns, agents=tuple(agents)
        )


def _check_many(at_most: int | None, what: str, ids: list[str | None]) -> None:
    if not ids:
        raise ValueError(f"{what}=() is empty; give at least one")
    twice = sorted(repeated(name for name in ids if name is not None))
    if twice:
        raise ValueError(f"duplicate ids in {what}: {', '.join(map(repr, twice))}; ids must be unique")
    if at_most is not None and at_most < 1:
        raise ValueError(f"at_most={at_most}: the minimum is 1")


REPLY: Final = "reply"
"""Tag of the element that holds an agent's reply; a dispatch inside it is for the agent's launcher."""


def assignments(document: Document) -> Iterator[Assignment]:
    """Yield one assignment for each agent that the document's dispatches launch."""
    waiting: list[Node] = list(reversed(document.blocks))
    while waiting:
        node = waiting.pop()
        if isinstance(node, (SubagentDispatchNode, TemplateDispatchNode, RosterDispatchNode)):
            yield from node.expand()
        elif node.tag != REPLY:
            waiting += reversed(children(node))
