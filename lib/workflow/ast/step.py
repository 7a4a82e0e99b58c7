"""The parts of every step: its header, the work, and the next command."""

from typing import ClassVar, Final

from attrs import field, frozen

from ..types import GateStatus, Outcome
from ..util.characters import one_line
from .fields import TEXT, Node
from .nodes import Invoke as Invoke
from .nodes import content

MANDATE: Final = """\
1. Do everything in current_action and nothing from later steps.
2. Run one command of invoke_after as printed (add input only if asked). If there are several, each says when to use it.
3. Go on until a step prints complete."""


@frozen(kw_only=True)
class StepHeader(Node):
    """The script, phase and number of a step. `phase` names the part of a long workflow."""

    tag = "step_header"
    script: str = field(validator=one_line)
    phase: str | None = field(default=None, validator=one_line)
    step: int
    total: int
    title: str = field(metadata=TEXT, validator=one_line)

    def check(self) -> None:
        if not 1 <= self.step <= self.total:
            raise ValueError(f"StepHeader: there is no step {self.step} of {self.total}; steps start at 1")


@frozen
class XmlMandate(Node):
    """Instructions for reading a step, printed with the first one."""

    tag = "xml_format_mandate"
    text: str = field(default=MANDATE, metadata=TEXT)


@frozen
class CurrentAction(Node):
    """The work of the step."""

    tag = "current_action"
    children: tuple[Node, ...] = field(converter=content)


@frozen(kw_only=True)
class Branch(Node):
    """One way on: its outcome, the condition that the agent checks, and the next command.

    Branches of a step that asks the user have no outcome: their order is that of the question's options.
    """

    tag = "if"
    shorthand: ClassVar = {"if_pass": ("outcome", Outcome.OK), "if_fail": ("outcome", Outcome.FAIL)}
    outcome: Outcome | None = None
    when: str = field(validator=one_line)
    invoke: Invoke

    def check(self) -> None:
        if self.outcome is Outcome.DEFAULT:
            raise ValueError(
                "Branch.outcome: DEFAULT is a key of `next`, not an outcome; name the outcome that happened"
            )


@frozen(kw_only=True)
class InvokeAfter(Node):
    """The next command when the work is done: one command, or one of several branches."""

    tag = "invoke_after"
    invoke: Invoke | None = None
    branches: tuple[Branch, ...] = ()

    def check(self) -> None:
        if (self.invoke is None) is (not self.branches):
            raise ValueError("InvokeAfter: give either one command or branches, not both")
        if len({(branch.outcome, branch.when) for branch in self.branches}) < len(self.branches):
            raise ValueError("InvokeAfter: two branches have the same outcome and `when`; the agent cannot choose")


@frozen
class GateResult(Node):
    """The decision of a review gate, with the reason if the status alone does not say it."""

    tag = "gate_result"
    status: GateStatus
    reason: str = field(default="", metadata=TEXT)


@frozen
class Complete(Node):
    """The end of the workflow: no command follows."""

    tag = "complete"
