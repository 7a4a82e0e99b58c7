"""The tokens and the price of a run by agent, by page and by phase."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from attrs import frozen

from ...util.structs import Struct
from ..clients.prices import prices_of
from ..journal.journal import Entry, Event
from ..journal.spec import Spec
from .usage import NOTHING, Usage, Used, total, usages, used_by

if TYPE_CHECKING:
    from ..journal.outline import Outline

K = TypeVar("K")
_PHASE: Final = r"\S+ \S+ ([a-z][a-z0-9-]{0,60}): "
"""Begin of the title of a step that belongs to a phase: `planner 3/14 plan-design: Hand over the work`. Compiled on
first use.
"""


@frozen(kw_only=True)
class AgentUsage(Struct):
    """The tokens of one agent of a run."""

    key: str
    role: str
    page: str
    """Key of the page that launched it."""
    step: str
    """The step of that page: script, number, title."""
    usage: Usage

    @property
    def phase(self) -> str:
        """Return the phase of the step that launched it, else the step's script."""
        found = re.match(_PHASE, self.step)
        return found[1] if found else self.step.partition(" ")[0]


def by_agent(run: str, events: "Iterable[Entry | Outline]", spec: Spec) -> Sequence[AgentUsage]:
    """Return the tokens of the agents of a run, in the order of their launches.

    Args:
        run: The driver's folder.
        events: The events of the run, in order.
        spec: Its specification, with the prices of clients that report none.
    """
    steps: dict[str, str] = {}
    roles: dict[str, str] = {}
    rates: dict[str, float] = {}
    prices = prices_of(spec.prices)
    for entry in events:
        if entry.event == Event.STEP:
            steps[entry.key] = entry.who
        elif entry.event == Event.ATTEMPT:
            roles[entry.key] = entry.who
            if prices:
                client = entry.text or spec.clients(entry.who)[0]
                rates[f"{entry.key}-{entry.number}"] = prices.get(client, 0)
    found = usages(run, rates)
    pages = {key: key.partition(".")[0] for key in roles}
    return tuple(
        AgentUsage(key=key, role=role, page=pages[key], step=steps.get(pages[key], ""), usage=found.get(key, NOTHING))
        for key, role in roles.items()
    )


def agents_of(found: Mapping[str, Usage]) -> Sequence[AgentUsage]:
    """Return agents of which only the keys and the tokens are known."""
    return tuple(
        AgentUsage(key=key, role="", page=key.partition(".")[0], step="", usage=usage) for key, usage in found.items()
    )


def used(run: str, events: "Iterable[Entry | Outline]", spec: Spec) -> Used:
    """Return what the attempts of a run have used. The attempts of one agent count as one."""
    return sum((used_by(agent.usage) for agent in by_agent(run, events, spec)), Used())


def by_page(agents: Iterable[AgentUsage]) -> Mapping[tuple[str, str], Usage]:
    """Return the tokens of the agents by the page that launched them, its key and its step, in order."""
    return _grouped(((each.page, each.step), each.usage) for each in agents)


def by_step(agents: Iterable[AgentUsage]) -> Mapping[str, Usage]:
    """Return the tokens of the agents by the step that launched them, in order."""
    return _grouped((each.step, each.usage) for each in agents)


def by_phase(agents: Iterable[AgentUsage]) -> Mapping[str, Usage]:
    """Return the tokens of the agents by the phase, or the script, of the step that launched them."""
    return _grouped((each.phase, each.usage) for each in agents)


def as_data(agents: Sequence[AgentUsage]) -> dict[str, object]:
    """Return the tokens and the price for programs: the sum, and by phase, page, step and agent."""
    return {
        **total(each.usage for each in agents).as_data(),
        "phases": [{"name": name, **usage.as_data()} for name, usage in by_phase(agents).items()],
        "pages": [{"key": key, "name": name, **usage.as_data()} for (key, name), usage in by_page(agents).items()],
        "steps": [{"name": name, **usage.as_data()} for name, usage in by_step(agents).items()],
        "agents": [{"key": each.key, "role": each.role, "step": each.step, **each.usage.as_data()} for each in agents],
    }


def _grouped(found: Iterable[tuple[K, Usage]]) -> Mapping[K, Usage]:
    sums: dict[K, Usage] = {}
    for name, usage in found:
        sums[name] = sums.get(name, NOTHING) + usage
    return sums
