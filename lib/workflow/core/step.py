"""A step as its author declares it: what it says, what can happen, and where each outcome leads."""

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
"""`(context, …) -> (outcome, state)`, or AgentChoice; what follows the context are the step's parameters."""


@frozen(kw_only=True, field_transformer=read_only, eq=False, repr=False)
class StepDef(Struct):
    """One step of a workflow. What is not said here, title and actions, comes from a prompts file (`prompts.py`)."""

    id: str
    title: str = ""
    actions: tuple[Node, ...] = field(default=(), converter=content)
    handler: Handler | None = None
    """None: the agent decides among the outcomes of `when`; without any, the outcome is OK."""
    next: Mapping[Outcome, Target] = field()
    """Outcome -> step id, another script, or None for the end. DEFAULT stands for every outcome without an entry."""
    when: Mapping[Outcome, str] = field(factory=dict)
    """For each outcome that the agent may have to decide on: a condition that it can check on what it wrote.

    Its slots are filled with what is handed on.
    """
    slots: Mapping[str, SlotValue | Callable[[StepContext], SlotValue]] = field(factory=dict)
    """What fills `{{name}}` in the actions, beside the step's parameters."""
    limit: int | None = None
    """How many rounds the step may have, where its state counts them and no parameter `iteration` does."""
    phase: str | None = None
    forwards: Mapping[Outcome, Announcement] = field(factory=dict)
    """Outcomes on which the page of the step that follows is printed at once, after this node if there is one.

    A step that has nothing to say to its reader then costs no page and no command: a router, a gate that has passed.
    """
    changes_state: bool = False
    """Whether printing the step changes the state directory; printing it again then changes nothing more (law 7).

    Where the parameter `state_dir` names that directory, one such step runs there at a time.
    """

    def target(self, outcome: Outcome) -> Target:
        """Where an outcome leads. Raises KeyError where it leads nowhere."""
        return self.next[outcome if outcome in self.next else Outcome.DEFAULT]

    @property
    def kind(self) -> HandlerKind:
        """The handler, whatever it is; what is asked of it is asked here."""
        if isinstance(self.handler, HandlerKind):
            return self.handler
        return Conditions(self.when) if self.handler is None else Function(self.handler)

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """What the step itself can be told."""
        return self.kind.parameters

    @property
    def sample(self) -> tuple[Task, ...]:
        """The list that the step is tried with; empty for a step that takes none."""
        roster = self.kind.roster
        return roster.sample if roster else ()

    @property
    def following(self) -> frozenset[str]:
        """The ids of the steps that can come next."""
        return frozenset(target for target in self.next.values() if isinstance(target, str))

    @property
    def can_end(self) -> bool:
        """Whether the workflow can end with the step, or another script take over."""
        return any(not isinstance(target, str) for target in self.next.values())

    @property
    def rounds(self) -> int | None:
        """How many rounds the step may have at most; None where nothing bounds it."""
        counter = self.parameters.get("iteration")
        return self.limit if counter is None or self.limit is not None or counter.type is not int else counter.arg.max

    def conditions(self) -> Mapping[Outcome, str]:
        """When the agent takes which branch."""
        return {**self.kind.replies, **self.when}
