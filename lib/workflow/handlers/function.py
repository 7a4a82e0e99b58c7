"""Handlers that authors do not declare as a class: a plain function, and no handler."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType, UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints

from ..arguments.parameter import Parameter, parameters_of
from ..ast.fields import Node
from ..errors import WorkflowError
from ..types import Outcome
from .base import AgentChoice, AskAll, AskUser, HandlerKind, Result, StepContext


class Conditions(HandlerKind):
    """No handler: the agent decides among the outcomes with a condition; without any, the outcome is OK."""

    __slots__ = ("_when",)
    parameters: Mapping[str, Parameter] = MappingProxyType({})

    def __init__(self, when: Mapping[Outcome, str]) -> None:
        self._when = when

    @property
    def outcomes(self) -> tuple[frozenset[Outcome], frozenset[Outcome]]:
        return frozenset(self._when or {Outcome.OK}), frozenset(self._when)

    def result(self, context: StepContext) -> Result:
        return AgentChoice({outcome: {} for outcome in self._when}) if self._when else (Outcome.OK, {})

    def launched(self, context: StepContext) -> Iterable[Node]:
        return ()


class Function(HandlerKind):
    """A plain function: `(context, …) -> (outcome, state)`, AgentChoice, AskUser or AskAll.

    Its return type names the outcomes. `tuple[Literal[Outcome.OK], State] | AgentChoice[Literal[Outcome.OK,
    Outcome.ITERATE]]` means one that it can decide, and two that it can leave to the agent.
    """

    __slots__ = ("_function",)
    hands_on = True

    def __init__(self, function: Callable[..., Result]) -> None:
        self._function = function

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        return parameters_of(self._function)

    @property
    def outcomes(self) -> tuple[frozenset[Outcome] | None, frozenset[Outcome]]:
        try:
            returned = self._returned()
        except (NameError, TypeError) as error:
            raise WorkflowError(f"its handler's return type cannot be read: {error}") from None
        happen: set[Outcome] = set()
        left: set[Outcome] = set()
        open_ended = False
        for option in _options(returned):
            if option in (AskUser, AskAll):  # the answer comes back to the same step
                continue
            named = get_args(option)[0] if get_args(option) else None
            outcomes = [outcome for choice in _options(named) for outcome in _literal(choice)]
            open_ended = open_ended or not outcomes
            happen.update(outcomes)
            if AgentChoice in (option, get_origin(option)):
                left.update(outcomes or (outcome for outcome in Outcome if outcome is not Outcome.DEFAULT))
        return None if open_ended else frozenset(happen), frozenset(left)

    @property
    def asks(self) -> bool:
        return not {AskUser, AskAll}.isdisjoint(_options(self._returned()))

    def result(self, context: StepContext) -> Result:
        values = {**context.workflow_params, **context.step_state}
        return self._function(context, **{name: values[name] for name in self.parameters})

    def launched(self, context: StepContext) -> Iterable[Node]:
        return ()

    def _returned(self) -> object:
        return get_type_hints(self._function).get("return")


def _options(hint: object) -> tuple[object, ...]:
    return get_args(hint) if get_origin(hint) in (UnionType, Union) else (hint,)


def _literal(hint: object) -> tuple[Outcome, ...]:
    named = get_args(hint) if get_origin(hint) is Literal else ()
    strangers = [name for name in named if not isinstance(name, Outcome)]
    if strangers:
        raise WorkflowError(f"its handler's return type names {strangers[0]!r}; write a member of Outcome")
    return named
