"""A step as its author declares it: its text, its outcomes, and the target of each."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from attrs import field, frozen

from ..arguments.parameter import Parameter
from ..ast.fields import Node
from ..ast.nodes import content
from ..handlers.base import HandlerKind, Result, Script, StepContext, Task, read_only
from ..handlers.function import Conditions, Function
from ..prompts.slots import SlotValue
from ..types import Outcome
from ..util.structs import Struct

Target: TypeAlias = str | Script | None
Announcement: TypeAlias = Node | Callable[[StepContext], Node | None] | None
Handler: TypeAlias = Callable[..., Result] | HandlerKind
"""`(context, …) -> (outcome, state)` or AgentChoice; parameters after the context are the step's parameters."""


@frozen(kw_only=True, field_transformer=read_only)
class StepDef(Struct):
    """One step of a workflow. A title and actions that are not given come from a prompts file (`with_prompts`).

    Example:
        `StepDef(id="report", title="Report", actions="Write the report.", next={Outcome.OK: None})`
    """

    id: str
    """Name of the step in transitions, and of its section in a prompts file."""
    title: str = ""
    """Heading of its page."""
    actions: tuple[Node, ...] = field(default=(), converter=content)
    """Its instructions: a text, a node, or a list of them, with slots such as `{{name}}`."""
    handler: Handler | None = None
    """If None, the agent chooses among the outcomes of `when`; without `when`, the outcome is OK."""
    next: Mapping[Outcome, Target] = field()
    """Outcome -> step id, another script, or None for the end. DEFAULT covers outcomes without an entry."""
    when: Mapping[Outcome, str] = field(factory=dict)
    """For each outcome that the agent may decide on: a condition that it can check.

    Its slots are filled with the values handed on.
    """
    slots: Mapping[str, SlotValue | Callable[[StepContext], SlotValue]] = field(factory=dict)
    """Values for `{{name}}` in the actions, beside the step's parameters."""
    limit: int | None = None
    """Maximum number of rounds, for a step whose state counts them and that has no parameter `iteration`."""
    phase: str | None = None
    """Phase that the page's header names, for workflows that have phases."""
    forwards: Mapping[Outcome, Announcement] = field(factory=dict)
    """Outcomes after which the next step's page is printed at once, after this node if there is one.

    A step without text for its reader then costs no page and no command: a router, or a gate that passed.
    """
    changes_state: bool = False
    """True if printing the step changes the state directory. Printing it again must then change nothing more.

    If the parameter `state_dir` names that directory, only one such step runs there at a time.
    """

    def target(self, outcome: Outcome) -> Target:
        """Return the target of an outcome. Raises KeyError if it has none."""
        return self.next[outcome if outcome in self.next else Outcome.DEFAULT]

    @property
    def kind(self) -> HandlerKind:
        """Return the handler as a HandlerKind."""
        if isinstance(self.handler, HandlerKind):
            return self.handler
        return Conditions(self.when) if self.handler is None else Function(self.handler)

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """Return the step's own parameters."""
        return self.kind.parameters

    @property
    def sample(self) -> tuple[Task, ...]:
        """Return the list that tests the step; empty for a step that takes no list."""
        roster = self.kind.roster
        return roster.sample if roster else ()

    @property
    def following(self) -> frozenset[str]:
        """Return the ids of the possible next steps."""
        return frozenset(target for target in self.next.values() if isinstance(target, str))

    @property
    def can_end(self) -> bool:
        """Return True if the workflow can end here, or another script can take over."""
        return any(not isinstance(target, str) for target in self.next.values())

    @property
    def rounds(self) -> int | None:
        """Return the maximum number of rounds, or None without a limit."""
        counter = self.parameters.get("iteration")
        return self.limit if counter is None or self.limit is not None or counter.type is not int else counter.arg.max

    def conditions(self) -> Mapping[Outcome, str]:
        """Return the condition of each branch that the agent can take."""
        return {**self.kind.replies, **self.when}
