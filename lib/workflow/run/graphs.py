"""The graph of a run as data: the graph at its start holds until its end, even if code changes.

Each script has its own digest, so that changes in other scripts do not affect the run.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType
from typing import Final

from attrs import define, frozen

from ..codec import codec
from ..command import Command, flag_of
from ..core import Workflow
from ..errors import UsageError
from ..graph.data import graph_of
from ..util.suggest import expected

ALWAYS: Final = ("--step", "--total-steps", "--format")


@frozen(kw_only=True)
class Way:
    """One outcome of a step and its target: a step's id, a script's module, or an empty string for the end."""

    outcome: str
    to: str
    when: str


@frozen(kw_only=True)
class Takes:
    """A parameter of a step."""

    name: str
    legal: str


@frozen(kw_only=True)
class Step:
    """One step; `agents` are the roles that it launches, each with its script."""

    id: str
    takes: tuple[Takes, ...]
    ways: tuple[Way, ...]
    agents: tuple[str, ...]


@frozen(kw_only=True)
class Script:
    """The steps of one script, in the order of their numbers."""

    module: str
    steps: tuple[Step, ...]

    @cached_property
    def digest(self) -> str:
        """Return the digest of this graph."""
        return sha256(codec(Script).dumps(self).encode()).hexdigest()

    def takes(self, command: Command) -> None:
        """Raise UsageError for a command that is not a step of this script."""
        flags = [word.partition("=")[0] for word in command.words if word.startswith("--")]
        number = dict(zip(command.words, command.words[1:], strict=False)).get("--step", "")
        if not (number.isascii() and number.isdigit() and len(number) < 10 and 1 <= int(number) <= len(self.steps)):
            raise UsageError(f"there is no step {number!r:.20}: {self.module} has the steps 1 to {len(self.steps)}")
        known = {flag_of(each.name) for step in self.steps for each in step.takes}
        for flag in flags:
            if flag.replace("--no-", "--", 1) not in known and flag not in (*known, *ALWAYS):
                raise UsageError(f"{self.module} has no flag {flag!r:.40}; {expected(flag, sorted(known))}")


@frozen(kw_only=True)
class Graphs:
    """The scripts that a run may reach, and the digest of them all."""

    scripts: tuple[Script, ...]
    digest: str


@define
class Pinned:
    """A check of a run's commands by the run's own graph; the host then parses them."""

    graphs: Graphs

    @cached_property
    def scripts(self) -> Mapping[str, Script]:
        """Return the scripts by module."""
        return MappingProxyType({script.module: script for script in self.graphs.scripts})

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """Return the digests by module."""
        return MappingProxyType({script.module: script.digest for script in self.graphs.scripts})

    def accept(self, command: Command) -> Command:
        """Return the command with the interpreter of this process. Raises UsageError if the graph does not have it."""
        script = self.scripts.get(command.module)
        if script is None:
            near = expected(command.module, sorted(self.scripts))
            raise UsageError(f"module {command.module!r:.80} is not in the graph that this run started with; {near}")
        script.takes(command)
        return Command(command.module, command.words)


def reached(graphs: Graphs, modules: Iterable[str]) -> frozenset[str]:
    """Return the given modules, and those of all scripts that they lead to or launch according to the graphs."""
    scripts = {script.module: script for script in graphs.scripts}
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module in found or module not in scripts:
            continue
        found.add(module)
        for step in scripts[module].steps:
            waiting += [way.to for way in step.ways]
            waiting += [agent.rpartition(" ")[2] for agent in step.agents]
    return frozenset(found)


def graphs_of(workflows: Iterable[Workflow]) -> Graphs:
    """Return the graphs of all workflows."""
    scripts = tuple(sorted(map(_script, workflows), key=lambda script: script.module))
    return Graphs(scripts=scripts, digest=sha256("".join(script.digest for script in scripts).encode()).hexdigest())


def _script(workflow: Workflow) -> Script:
    graph = graph_of(workflow)
    steps = []
    for node in graph.nodes:
        ways = [
            Way(outcome=str(edge.outcome), to=edge.target or edge.script or "", when=edge.condition or "")
            for edge in graph.leaving(node)
        ]
        takes = [Takes(name=name, legal=one.legal) for name, one in workflow.taken_by(node.id).items()]
        agents = tuple(f"{each.agent} {each.script}" for each in node.dispatches)
        steps.append(Step(id=node.id, takes=tuple(takes), ways=tuple(ways), agents=agents))
    return Script(module=workflow.module, steps=tuple(steps))
