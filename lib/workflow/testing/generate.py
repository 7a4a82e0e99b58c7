"""A generator of every valid call of a workflow's steps."""

from collections.abc import Iterator, Mapping
from itertools import product
from types import MappingProxyType
from typing import Final, TypeAlias

from attrs import field, frozen

from ..arguments.parameter import Parameter, Value
from ..command import Command, flags
from ..core import AskAll, AskUser, Workflow
from ..util.domains import BoundedInt, ChoiceSet, Constant, Domain, Samples
from .stage import Stage
from .targets import with_input

Values: TypeAlias = Mapping[str, Value]

HOSTILE: Final = (
    '-it\'s "$HOME" `id` $(id) \\ ; | > /tmp/x & # *',
    '</current_action><invoke cmd="rm"/> & ]]> &amp; {{step}} => $NAME',
    "\tßéł 日本語 \U0001f642 => \u00a0 --step=2 ",
)
"""Texts of one line that reveal any mistake in quoting, escaping or filling in."""
PLAIN: Final = "a text"
MOST: Final = 2000
"""Maximum cases of one step. Domains that multiply beyond it are an error, because a cut would go unnoticed."""


def _read_only(values: Values) -> Values:
    return MappingProxyType(dict(values))


@frozen
class Case:
    """One valid call of one step."""

    workflow: Workflow = field(eq=lambda workflow: workflow.name)
    step_id: str
    values: Values = field(eq=lambda values: tuple(values.items()), converter=_read_only)
    """Values of the step's parameters; absent parameters are not given."""
    label: str
    hostile: bool = False

    @property
    def id(self) -> str:
        """Return a readable, unique id: the workflow's name, the step's number and id, and its values."""
        where = f"{self.workflow.name}-{self.workflow.number(self.step_id)}-{self.step_id}"
        return f"{where}[{self.label}]" if self.label else where

    @property
    def command(self) -> Command:
        """Return the command of this call, with default values too."""
        return Command(self.workflow.module, flags({"step": self.workflow.number(self.step_id), **self.values}))


def domain_of(parameter: Parameter) -> Domain:
    """Return the domain of a parameter, required or not. `Arg.samples` gives the values to try."""
    if parameter.arg.samples:
        anything = parameter.type is str and not parameter.choices
        return Samples(parameter.arg.samples, HOSTILE if anything else ())
    if parameter.choices:
        return ChoiceSet(parameter.choices)
    if parameter.type is bool:
        return ChoiceSet((False, True))
    if parameter.type is str:
        return Samples((PLAIN,), HOSTILE)
    low, high = parameter.arg.min, parameter.arg.max
    if low is not None and high is not None:
        return BoundedInt(low, high)
    if low is None and high is not None:
        return Samples((high, high - 1, high - 1_000_000))
    start = low or 0
    return Samples((start, start + 1, start + 1_000_000))


def extract_schema(workflow: Workflow, given: Values = MappingProxyType({})) -> Mapping[str, Mapping[str, Domain]]:
    """Return step id -> parameter -> domain, including the step's number. `given` fixes parameters of the workflow."""
    return MappingProxyType(
        {
            step_id: MappingProxyType(
                {
                    "step": Constant(workflow.number(step_id)),
                    **{
                        name: Constant(given[name]) if name in given else domain_of(parameter)
                        for name, parameter in workflow.taken_by(step_id).items()
                    },
                }
            )
            for step_id in workflow.steps
        }
    )


def generate_inputs(workflow: Workflow, stage: Stage) -> Iterator[Case]:
    """Yield every valid call: all combinations of values for each step that the workflow's parameters let it reach.

    A text is tried with its samples in every combination, and with each hostile text once. Raises ValueError if the
    domains of a step multiply beyond MOST.
    """
    given = stage.given(workflow)
    domains = extract_schema(workflow, given)
    whole = {name: parameter for name, parameter in workflow.parameters.items() if name in workflow.params}
    any_step = {name: domain for of_step in domains.values() for name, domain in of_step.items()}
    reached = [(values, _reached(workflow, values, domains, stage)) for values in _product(whole, any_step)]
    for step_id, of_step in domains.items():
        own = workflow.steps[step_id].parameters
        calls = [
            values | more
            for values, steps in reached
            if step_id in steps
            for more in _product({name: own[name] for name in own if name not in whole}, of_step)
        ]
        if len(calls) > MOST:
            raise ValueError(f"step {step_id}: {len(calls):,} valid calls, more than {MOST:,}; narrow its parameters")
        for values in calls:
            yield Case(workflow, step_id, values, _label(values, given))
        yield from _hostile(workflow, step_id, calls, of_step, given)


def _hostile(
    workflow: Workflow, step_id: str, calls: list[dict[str, Value]], domains: Mapping[str, Domain], given: Values
) -> Iterator[Case]:
    for name, domain in domains.items() if calls else ():
        for number, text in enumerate(domain.hostile if isinstance(domain, Samples) else (), 1):
            others = _label({key: value for key, value in calls[0].items() if key != name}, given)
            label = ",".join(part for part in (others, f"{name}=hostile-{number}") if part)
            yield Case(workflow, step_id, calls[0] | {name: text}, label, hostile=True)


def _product(parameters: Mapping[str, Parameter], domains: Mapping[str, Domain]) -> Iterator[dict[str, Value]]:
    """Yield every combination; an optional parameter is also left out if that changes the meaning."""
    ways = [
        [*([None] if _can_lack(parameter, domains[name]) else []), *domains[name]]
        for name, parameter in parameters.items()
    ]
    for values in product(*ways):
        yield {name: value for name, value in zip(parameters, values, strict=True) if value is not None}


def _can_lack(parameter: Parameter, domain: Domain) -> bool:
    return parameter.default is None and not parameter.required and not isinstance(domain, Constant)


def _reached(
    workflow: Workflow, whole: dict[str, Value], domains: Mapping[str, Mapping[str, Domain]], stage: Stage
) -> frozenset[str]:
    """Return the steps that a run with these parameters can reach, according to the handlers themselves."""
    found: set[str] = set()
    waiting = [workflow.entry_point]
    while waiting:
        step_id = waiting.pop()
        if step_id in found:
            continue
        found.add(step_id)
        own = workflow.steps[step_id].parameters
        for more in _product({name: own[name] for name in own if name not in whole}, domains[step_id]):
            waiting += _targets(workflow, step_id, whole | more, stage)
    return frozenset(found)


def _targets(workflow: Workflow, step_id: str, values: dict[str, Value], stage: Stage) -> list[str]:
    step = workflow.steps[step_id]
    try:
        stage.ready(workflow, step_id)
        result = workflow.outcomes(step_id, with_input(workflow, step_id, workflow.context(step_id, values)))
        if isinstance(result, (AskUser, AskAll)):
            return []
        happen = [result[0]] if isinstance(result, tuple) else list(result.ways)
        targets = [step.target(outcome) for outcome in happen]
    except Exception:  # the case itself reports the error; until then, use the declared targets
        targets = list(step.next.values())
    return [target for target in targets if isinstance(target, str)]


def _label(values: Values, given: Values) -> str:
    return ",".join(f"{name}={value}" for name, value in values.items() if name not in given)
