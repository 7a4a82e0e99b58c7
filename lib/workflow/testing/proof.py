"""The proof of whole packages: every valid call, the walk, and every command, one of each step as a process."""

import atexit
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from types import MappingProxyType, TracebackType
from typing import Final

from attrs import frozen

from ..command import Command
from ..core import Workflow
from ..discovery import DiscoveryError, Unusable, search
from ..errors import UsageError
from ..util.plurals import count
from .findings import Fault, Finding
from .generate import HOSTILE, Case, generate_inputs
from .prints import Prints, Tell
from .process import Processes
from .stage import Stage
from .targets import Targets
from .walk import Walk, walk_workflow

EMPTY: Final = "it holds no workflow: no module in it assigns a Workflow to WORKFLOW"


@frozen
class Counts:
    """The number of things that a proof tried."""

    workflows: int
    cases: int
    """Valid calls, each printed in process."""
    hostile: int
    """Calls with hostile texts, which are not among the cases."""
    commands: int
    """Different commands, each run."""
    processes: int
    """The commands among them that run as processes: the first of each step. The others run in this process."""

    def __str__(self) -> str:
        return (
            f"{count(self.workflows, 'workflow')}: {count(self.cases, 'valid call')} and {self.hostile:,} "
            f"with hostile texts printed, {count(self.commands, 'command')} run, {self.processes:,} of them as "
            "processes"
        )


class Proof:
    """The proof of some packages, for the duration of the `with`. It runs each part on demand."""

    def __init__(self, *packages: str, tell: Tell = lambda _: None) -> None:
        self.packages = packages
        self.unusable: list[Unusable] = []
        found: list[Workflow] = []
        for package in packages:
            try:
                usable, broken = search(package)
            except DiscoveryError as error:
                usable, broken = [], [Unusable(package, str(error))]
            found += [item.workflow for item in usable]
            self.unusable += broken
            self.unusable += [] if usable or broken else [Unusable(package, EMPTY)]
        self.workflows = tuple(found)
        self._too_many: dict[str, str] = {}
        self._hostile: set[Command] = set()
        self._tell, self._place = tell, ""
        self.stage = Stage()
        self.targets = Targets(found, self.stage)
        self.prints = Prints(self.targets, self._say)
        self.processes = Processes(packages)

    def __enter__(self) -> "Proof":
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self.stage.__exit__(None, None, None)
        self.processes.__exit__(None, None, None)

    @cached_property
    def cases(self) -> Mapping[str, tuple[Case, ...]]:
        """Return every valid call by workflow name; empty if there are too many, which `of_packages` reports."""
        return MappingProxyType({item.name: self._cases(item) for item in self._in_turn()})

    def cases_of(self, workflow: Workflow) -> tuple[Case, ...]:
        """Return every valid call of a workflow. Raises ValueError if there are too many."""
        cases = tuple(generate_inputs(workflow, self.stage))
        self._hostile.update(case.command for case in cases if case.hostile)
        return cases

    @cached_property
    def walks(self) -> Mapping[str, Walk]:
        """Return the walk of each workflow from all its starts, including those that other workflows dispatch."""
        starts = {
            item.name: [case.command for case in self.cases[item.name] if case.step_id == item.entry_point]
            for item in self.workflows
            if self.cases[item.name]
        }
        walks: dict[str, Walk] = {}
        waiting = [item for item in self.workflows if item.name in starts]
        while waiting:
            workflow = waiting.pop()
            walks[workflow.name] = walk = walk_workflow(workflow, starts[workflow.name], self.prints)
            for command in walk.dispatched:
                target = self.targets.workflows.get(command.module)
                if target and command not in starts.get(target.name, [command]) and self._tells_more(command):
                    starts[target.name].append(command)
                    waiting += [target] if target not in waiting else []
        return MappingProxyType(walks)

    def _tells_more(self, command: Command) -> bool:
        """Return True if a dispatched command needs its own walk.

        Samples represent all other values of their parameter.
        """
        try:
            values = self.targets.values(command)
        except UsageError:  # a finding of the page that holds it
            return False
        workflow = self.targets.workflows[command.module]
        given = self.stage.given(workflow)
        samples = {name: item.arg.samples for name, item in workflow.parameters.items() if name not in given}
        return all(value in (None, *samples[name], *HOSTILE) for name, value in values.items() if samples.get(name))

    @cached_property
    def commands(self) -> tuple[Command, ...]:
        """Return every command that occurs in a walk and prints something."""
        return tuple(command for walk in self.walks.values() for command in walk.ways if self.prints.of(command))

    @cached_property
    def _firsts(self) -> frozenset[Command]:
        """The first command of each step. The others start the same modules, with other values."""
        return frozenset({(each.module, self.targets.step(each)): each for each in reversed(self.commands)}.values())

    @property
    def counts(self) -> Counts:
        """Return how much there is to try."""
        hostile = sum(case.hostile for cases in self.cases.values() for case in cases)
        every = sum(len(cases) for cases in self.cases.values())
        return Counts(len(self.workflows), every - hostile, hostile, len(self.commands), len(self._firsts))

    def of_packages(self) -> tuple[Finding, ...]:
        """Return findings about things that cannot be tried.

        These are unusable modules, and workflows with too many valid calls.
        """
        broken = [Finding(Fault.UNUSABLE, item.home, "", item.reason) for item in self.unusable]
        for workflow in self.workflows:
            reason = self._too_many.get(workflow.name) if self.cases else None
            broken += [Finding(Fault.TOO_MANY_CASES, workflow.name, "", reason)] if reason else []
        return tuple(broken)

    def of_case(self, case: Case) -> tuple[Finding, ...]:
        """Return the findings about the page of a valid call."""
        return self.of_print(case.command)

    def of_print(self, command: Command) -> tuple[Finding, ...]:
        """Return the findings about a page. A call with a hostile text may be refused with a proper message."""
        found = self.prints.findings(command)
        return tuple(item for item in found if not (item.fault is Fault.CALL and command in self._hostile))

    def of_walk(self, name: str) -> tuple[Finding, ...]:
        """Return the findings about a workflow's walk, and about its pages that no case covers."""
        walk = self.walks[name]
        tried = {case.command for case in self.cases[name]}
        prints = [finding for way in walk.ways if way not in tried for finding in self.of_print(way)]
        return (*prints, *walk.findings)

    def of_run(self, command: Command) -> tuple[Finding, ...]:
        """Return the findings about a command that runs, as a process if it is the first of its step."""
        document = self.prints.of(command)
        here = command not in self._firsts
        return tuple(self.processes.findings(command, document, self.targets, here=here)) if document else ()

    def findings(self) -> Iterator[Finding]:
        """Yield all findings, as they occur."""
        yield from self.of_packages()
        for workflow in self._in_turn():
            yield from (finding for case in self.cases[workflow.name] for finding in self.of_case(case))
        for name in self.walks:
            yield from self.of_walk(name)
        for number, command in enumerate(self.commands, 1):
            self._say(f"command {number} of {len(self.commands)}")
            yield from self.of_run(command)

    def _in_turn(self) -> Iterator[Workflow]:
        for number, workflow in enumerate(self.workflows, 1):
            self._place = f"workflow {number} of {len(self.workflows)}, "
            self._say(f"{workflow.name}: its valid calls")
            yield workflow
        self._place = ""

    def _say(self, what: str) -> None:
        self._tell(f"{self._place}{what}")

    def _cases(self, workflow: Workflow) -> tuple[Case, ...]:
        try:
            return self.cases_of(workflow)
        except ValueError as error:
            self._too_many[workflow.name] = str(error)
            return ()


@cache
def proof_of(*packages: str) -> Proof:
    """Return the proof for this process, so that all tests of one run share the same pages."""
    proof = Proof(*packages)
    atexit.register(proof.__exit__, None, None, None)
    return proof
