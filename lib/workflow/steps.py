"""A step as its author declares it: what it says, what can happen, and where each outcome leads."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType, UnionType
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from attrs import Attribute, AttrsInstance, field, frozen

from .ast.declare import Node
from .ast.nodes import content
from .errors import WorkflowError
from .parameters import Arg, Parameter, Value, parameters_of
from .roster import ROSTER_FILE, STANDARD_INPUT, Roster, Task
from .slots import SlotValue
from .structs import Struct
from .types import AgentRole, Outcome, Tier

if TYPE_CHECKING:
    from .ast.relay import Question

State: TypeAlias = Mapping[str, Value] | AttrsInstance
"""What a handler hands on: values by the name of a parameter of the step that comes next; they become its flags."""
Decided: TypeAlias = tuple[Outcome, State]
"""The parameters tell the outcome."""
O_co = TypeVar("O_co", bound=Outcome, covariant=True)


class Undecided(Generic[O_co]):
    """The agent decides among these outcomes, each with what it hands on; the step prints a branch for each.

    Several states under one outcome are as many branches. The slots of its condition tell them apart: they are filled
    with what is handed on, as in `when={Outcome.OK: "MODE is {{mode}}"}`.
    """

    def __init__(self, ways: Mapping[O_co, State | tuple[State, ...]]) -> None:
        self.ways: Mapping[Outcome, State | tuple[State, ...]] = MappingProxyType({name: ways[name] for name in ways})

    def branches(self) -> Iterator[tuple[Outcome, State]]:
        """Each way on, in the order of the ways."""
        for outcome, handed in self.ways.items():
            for state in handed if isinstance(handed, tuple) else (handed,):
                yield outcome, state


class Asks:
    """The user decides: the step waits (exit status 3), and is told the answer when it is run again.

    There is a state for each option of the question, in their order: what the step itself is then told.
    """

    def __init__(self, question: "Question", *answers: State) -> None:
        if len(answers) != len(question.options):
            raise WorkflowError(f"asks with {len(question.options)} options and has {len(answers)} states for them")
        self.question = question
        self.answers = answers


def _read_only(_: type, attributes: list["Attribute[Any]"]) -> list["Attribute[Any]"]:
    """A field transformer: every mapping that a class is given is kept as one that cannot be changed."""
    return [
        item.evolve(converter=MappingProxyType) if get_origin(item.type) is Mapping else item for item in attributes
    ]


@frozen(field_transformer=_read_only, eq=False, repr=False)
class StepContext(Struct):
    """Where a workflow stands, as a handler sees it (003, "StepContext")."""

    step_id: str
    workflow_params: Mapping[str, Value] = field(factory=dict)
    """The workflow's own parameters: set at the start, the same at every step."""
    step_state: Mapping[str, Value] = field(factory=dict)
    """What the step before handed on."""
    tasks: tuple[Task, ...] = ()
    """What a step with a roster was given on standard input."""


@frozen(kw_only=True, eq=False, repr=False)
class Script(Struct):
    """Another workflow, which takes over at its first step (002, "Router dispatch at step 1 only")."""

    module: str
    passes: tuple[str, ...] = ()
    """Which of the workflow's parameters its command carries."""


@frozen(kw_only=True, eq=False, repr=False)
class Dispatch(Struct):
    """A handler that hands the step to a sub-agent: the agent's reply, PASS or FAIL, is the outcome OK or FAIL."""

    agent: AgentRole
    tier: Tier | None = None
    script: Script
    """The sub-agent's workflow."""
    prompt: str | Callable[[StepContext], str] | None = None
    returns: str | None = None
    """What the agent is to reply."""
    verdict: bool = True
    """False: the outcome is OK whatever the agent replies; what it did is on record, and is judged later."""


Target: TypeAlias = str | Script | None
Result: TypeAlias = Decided | Undecided[Outcome] | Asks
Handler: TypeAlias = Callable[..., Result] | Dispatch | Roster
"""`(context, …) -> (outcome, state)`, or Undecided; what follows the context are the step's parameters."""

_ROSTER_PARAMETERS: Mapping[str, Parameter] = MappingProxyType(
    {
        ROSTER_FILE: Parameter(
            name=ROSTER_FILE,
            type=str,
            arg=Arg(description="the list of agents, on standard input", choices=(STANDARD_INPUT,)),
            default=None,
            required=True,
        )
    }
)

REPLIES: Mapping[Outcome, str] = MappingProxyType(
    {Outcome.OK: "the agent's reply is PASS", Outcome.FAIL: "the agent's reply is FAIL, or anything else"}
)
"""When a dispatched step takes which branch (002: "malformed output is treated as FAIL")."""


@frozen(kw_only=True, field_transformer=_read_only, eq=False, repr=False)
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
    changes_state: bool = False
    """Whether printing the step changes the state directory; printing it again then changes nothing more (law 7)."""

    def target(self, outcome: Outcome) -> Target:
        """Where an outcome leads. Raises KeyError where it leads nowhere."""
        return self.next[outcome if outcome in self.next else Outcome.DEFAULT]

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """What the step itself can be told."""
        if isinstance(self.handler, Roster):
            return _ROSTER_PARAMETERS
        return parameters_of(self.handler) if callable(self.handler) else {}

    @property
    def sample(self) -> tuple[Task, ...]:
        """The list that the step is tried with; empty for a step that takes none."""
        return self.handler.sample if isinstance(self.handler, Roster) else ()

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
        return {**REPLIES, **self.when} if isinstance(self.handler, Dispatch) else self.when


def outcomes_of(step: StepDef) -> tuple[frozenset[Outcome] | None, frozenset[Outcome]]:
    """What its handler names: the outcomes that can happen (None where it names none), and the agent's among them.

    `tuple[Literal[Outcome.OK], State] | Undecided[Literal[Outcome.OK, Outcome.ITERATE]]` names both kinds. Raises
    WorkflowError for a return type that cannot be read, or names what is no outcome.
    """
    handler = step.handler
    if handler is None and step.when:
        return (frozenset(step.when),) * 2
    if handler is None or isinstance(handler, Roster):
        return frozenset({Outcome.OK}), frozenset()
    if isinstance(handler, Dispatch):
        return (frozenset(REPLIES),) * 2 if handler.verdict else (frozenset({Outcome.OK}), frozenset())
    try:
        returned = get_type_hints(handler).get("return")
    except (NameError, TypeError) as error:
        raise WorkflowError(f"its handler's return type cannot be read: {error}") from None
    happen: set[Outcome] = set()
    left: set[Outcome] = set()
    open_ended = False
    for option in _options(returned):
        if option is Asks:  # the answer comes back to the step
            continue
        named = get_args(option)[0] if get_args(option) else None
        outcomes = [outcome for choice in _options(named) for outcome in _literal(choice)]
        open_ended = open_ended or not outcomes
        happen.update(outcomes)
        if Undecided in (option, get_origin(option)):
            left.update(outcomes or (outcome for outcome in Outcome if outcome is not Outcome.DEFAULT))
    return None if open_ended else frozenset(happen), frozenset(left)


def asks(handler: Handler | None) -> bool:
    """Whether the return type says that the step can ask its user."""
    return callable(handler) and Asks in _options(get_type_hints(handler).get("return"))


def _options(hint: object) -> tuple[object, ...]:
    return get_args(hint) if get_origin(hint) in (UnionType, Union) else (hint,)


def _literal(hint: object) -> tuple[Outcome, ...]:
    named = get_args(hint) if get_origin(hint) is Literal else ()
    strangers = [name for name in named if not isinstance(name, Outcome)]
    if strangers:
        raise WorkflowError(f"its handler's return type names {strangers[0]!r}; write a member of Outcome")
    return named
