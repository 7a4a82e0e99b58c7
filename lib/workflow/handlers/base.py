"""What a step and its handler say to each other, of whatever kind the handler is."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeAlias, TypeVar, get_origin

from attrs import Attribute, AttrsInstance, field, frozen

from ..arguments.parameter import Parameter, Value
from ..ast.fields import Node
from ..command import Command, flags
from ..errors import WorkflowError
from ..types import AgentRole, Outcome
from ..util.structs import Struct

if TYPE_CHECKING:
    from ..ast.relay import Question
    from .fan_out import Roster


ROSTER_FILE: Final = "roster_file"
"""The parameter of a step with a roster."""
STANDARD_INPUT: Final = "-"
"""Its one value: the list is text of the agent's own, so it does not travel in the command, and no file is named."""


class Task(NamedTuple):
    """What one agent of a roster is told. Its reply goes by the id."""

    id: str
    text: str


State: TypeAlias = Mapping[str, Value] | AttrsInstance
"""What a handler hands on: values by the name of a parameter of the step that comes next; they become its flags."""
Decided: TypeAlias = tuple[Outcome, State]
"""The parameters tell the outcome."""
O_co = TypeVar("O_co", bound=Outcome, covariant=True)


class AgentChoice(Generic[O_co]):
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


class AskUser:
    """The user decides: the step waits (exit status 3), and is told the answer when it is run again.

    There is a state for each option of the question, in their order: what the step itself is then told.
    """

    def __init__(self, question: "Question", *answers: State) -> None:
        if len(answers) != len(question.options):
            raise WorkflowError(f"asks with {len(question.options)} options and has {len(answers)} states for them")
        self.question = question
        self.answers = answers


Result: TypeAlias = Decided | AgentChoice[Outcome] | AskUser


def read_only(_: type, attributes: list["Attribute[Any]"]) -> list["Attribute[Any]"]:
    """A field transformer: every mapping that a class is given is kept as one that cannot be changed."""
    return [
        item.evolve(converter=MappingProxyType) if get_origin(item.type) is Mapping else item for item in attributes
    ]


@frozen(field_transformer=read_only, eq=False, repr=False)
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

    def command(self, context: StepContext) -> Command:
        """The command of its first step."""
        values = {name: context.workflow_params[name] for name in self.passes}
        return Command(self.module, flags({"step": 1, **values}))


class HandlerKind:
    """A kind of handler, as a step sees it. Nobody asks which one: a new kind is a class that answers this."""

    __slots__ = ()
    agent: AgentRole | None = None
    """Whom the step launches, each to run the script; None where it launches nobody."""
    script: Script | None = None
    hands_on: bool = False
    """Whether values for the step that comes next can be in its result."""

    @property
    @abstractmethod
    def parameters(self) -> Mapping[str, Parameter]:
        """What the step can be told."""

    @property
    @abstractmethod
    def outcomes(self) -> tuple[frozenset[Outcome] | None, frozenset[Outcome]]:
        """Those that can happen (None where they are not named), and the agent's among them.

        Raises WorkflowError where they cannot be read off.
        """

    @abstractmethod
    def result(self, context: StepContext) -> Result:
        """What happened."""

    @abstractmethod
    def launched(self, context: StepContext) -> Iterable[Node]:
        """What the step says of the agents to launch. Raises RefusedError for tasks that a roster does not take."""

    def flaws(self) -> Iterable[str]:
        """What is wrong with how it is declared, its script aside."""
        return ()

    @property
    def asks(self) -> bool:
        """Whether it can ask the user."""
        return False

    @property
    def replies(self) -> Mapping[Outcome, str]:
        """When the agent takes which branch, where the step has no `when` for it."""
        return {}

    @property
    def roster(self) -> "Roster | None":
        """The agents of a list, where the step is told one."""
        return None
