"""The interface between a step and its handler."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, NamedTuple, TypeAlias, TypeVar, get_origin

from attrs import Attribute, AttrsInstance, field, frozen

from ..arguments.parameter import Arg, Parameter, Value
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
"""Its only value: the list is the agent's own text, so it is neither in the command nor in a file."""
ANSWERS_FILE: Final = "answers_file"
"""The parameter of a step that asks several questions at once (`AskAll`)."""
AnswersFile: TypeAlias = Annotated[
    str, Arg(description="the user's answers, on standard input", choices=(STANDARD_INPUT,))
]
"""The type of that parameter."""


class Task(NamedTuple):
    """The task of one agent of a roster. Its reply is filed under the id."""

    id: str
    text: str


State: TypeAlias = Mapping[str, Value] | AttrsInstance
"""Values that a handler hands on, by parameter name of the next step; they become its flags."""
Decided: TypeAlias = tuple[Outcome, State]
"""An outcome that the parameters decide."""
O_co = TypeVar("O_co", bound=Outcome, covariant=True)


class AgentChoice(Generic[O_co]):
    """A choice of the agent among outcomes, each with the values to hand on; the step prints a branch for each.

    Several states under one outcome give several branches. The slots of its condition distinguish them: they are
    filled with the values handed on, as in `when={Outcome.OK: "MODE is {{mode}}"}`.

    Args:
        ways: For each outcome the values to hand on by parameter name, or a tuple of such values.

    Example:
        `AgentChoice({Outcome.OK: {}, Outcome.ITERATE: {"iteration": iteration + 1}})`
    """

    def __init__(self, ways: Mapping[O_co, State | tuple[State, ...]]) -> None:
        self.ways: Mapping[Outcome, State | tuple[State, ...]] = MappingProxyType({name: ways[name] for name in ways})

    def branches(self) -> Iterator[tuple[Outcome, State]]:
        """Yield each branch, in order."""
        for outcome, handed in self.ways.items():
            for state in handed if isinstance(handed, tuple) else (handed,):
                yield outcome, state


class AskUser:
    """A question to the user: the step waits (exit status 3), and gets the answer when it runs again.

    Args:
        question: The question with two or three options.
        answers: For each option, in order, the values for the step's second run.
    """

    def __init__(self, question: "Question", *answers: State) -> None:
        if len(answers) != len(question.options):
            raise WorkflowError(f"options: {len(question.options)}, states: {len(answers)}; give each option a state")
        self.question = question
        self.answers = answers


class AskAll:
    """Several questions to the user on one page: the step waits, and gets all answers when it runs again.

    The handler takes a parameter `answers_file: AnswersFile | None = None`. In the second run `context.answers` has
    the answers by header: the number of an option, its label, or the user's own words.

    Args:
        questions: One to three questions with distinct headers.
    """

    def __init__(self, *questions: "Question") -> None:
        self.questions = questions


Result: TypeAlias = Decided | AgentChoice[Outcome] | AskUser | AskAll


def read_only(_: type, attributes: list["Attribute[Any]"]) -> list["Attribute[Any]"]:
    """Store every mapping of a class as a read-only one (attrs field transformer)."""
    return [
        item.evolve(converter=MappingProxyType) if get_origin(item.type) is Mapping else item for item in attributes
    ]


@frozen(field_transformer=read_only)
class StepContext(Struct):
    """The state of a workflow, as a handler sees it."""

    step_id: str
    """Id of the step that runs."""
    workflow_params: Mapping[str, Value] = field(factory=dict)
    """The workflow's own parameters: set at the start, the same at every step."""
    step_state: Mapping[str, Value] = field(factory=dict)
    """Values handed on by the step before."""
    tasks: tuple[Task, ...] = ()
    """Tasks that a step with a roster read from standard input."""
    answers: Mapping[str, str] = field(factory=dict)
    """Answers by header that a step with several questions read from standard input."""


@frozen(kw_only=True)
class Script(Struct):
    """Another workflow, which takes over at its first step."""

    module: str
    """Dotted name of its script."""
    passes: tuple[str, ...] = ()
    """The workflow's parameters that its command carries."""

    def command(self, context: StepContext) -> Command:
        """Return the command of its first step."""
        values = {name: context.workflow_params[name] for name in self.passes}
        return Command(self.module, flags({"step": 1, **values}))


class HandlerKind:
    """A kind of handler, as a step sees it. Callers never check for a kind: a new kind is a subclass."""

    __slots__ = ()
    agent: AgentRole | None = None
    """Role of the agents that the step launches to run the script; None if it launches none."""
    script: Script | None = None
    hands_on: bool = False
    """True if its result can hold values for the next step."""

    @property
    @abstractmethod
    def parameters(self) -> Mapping[str, Parameter]:
        """Return the step's parameters."""

    @property
    @abstractmethod
    def outcomes(self) -> tuple[frozenset[Outcome] | None, frozenset[Outcome]]:
        """Return the possible outcomes (None if they are not named), and those that the agent decides on.

        Raises WorkflowError if they cannot be read.
        """

    @abstractmethod
    def result(self, context: StepContext) -> Result:
        """Return the outcome, or the choice of agent or user."""

    @abstractmethod
    def launched(self, context: StepContext) -> Iterable[Node]:
        """Return the nodes that launch agents. Raises RefusedError for tasks that a roster does not take."""

    def flaws(self) -> Iterable[str]:
        """Return the errors of its declaration, except those of its script."""
        return ()

    @property
    def asks(self) -> bool:
        """Return True if it can ask the user."""
        return False

    @property
    def replies(self) -> Mapping[Outcome, str]:
        """Return default conditions for branches of the agent, used if the step has no `when` for them."""
        return {}

    @property
    def roster(self) -> "Roster | None":
        """Return the roster, if the step takes a list of agents."""
        return None
