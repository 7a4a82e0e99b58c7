"""The types of the older string functions (specification 000): for skills that loop by flags."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from attrs import field, frozen

from ..types import AgentRole

QR_ITERATION_LIMIT = 5
"""How often a gate may fail before it asks a person (002, "QR iteration limit")."""


@frozen
class FlatCommand:
    """The one command that comes next."""

    command: str


@frozen
class BranchCommand:
    """The commands that come next, by the verdict."""

    if_pass: str
    if_fail: str


NextCommand: TypeAlias = FlatCommand | BranchCommand | None
"""What comes next; None at the end."""


@frozen
class GuidanceResult:
    """What a step's guidance function returns."""

    title: str
    actions: Sequence[str]
    next: NextCommand = None


@frozen
class LinearRouting:
    """The next step follows."""


@frozen
class BranchRouting:
    """The verdict decides on the step."""

    if_pass: int
    if_fail: int


@frozen
class TerminalRouting:
    """No step follows."""


Routing: TypeAlias = LinearRouting | BranchRouting | TerminalRouting


@frozen
class Dispatch:
    """A sub-agent and the script that it follows, strictly unless `free_form`."""

    agent: AgentRole
    script: str
    total_steps: int
    context_vars: Mapping[str, str] = field(factory=dict)
    free_form: bool = False


@frozen
class QRState:
    """Where a review loop stands: `failed` tells why the step is entered, `status` what the step before it said."""

    iteration: int = 1
    failed: bool = False
    status: Literal["pass", "fail"] | None = None


@frozen
class GateConfig:
    """Where a gate leads, and who repairs: `fix_target`, or the developer, where `self_fix` is set."""

    qr_name: str
    work_step: int
    pass_step: int | None
    pass_message: str
    self_fix: bool
    fix_target: AgentRole | None = None


@frozen
class Step:
    """One step of a workflow that is a dictionary of steps."""

    title: str
    actions: Sequence[str]
    routing: Routing = field(factory=LinearRouting)
    dispatch: Dispatch | None = None
    gate: GateConfig | None = None
    phase: str | None = None


@frozen
class WorkflowDefinition:
    """A workflow that is a dictionary of steps by number."""

    name: str
    script: str
    steps: Mapping[int, Step]
    description: str = ""
