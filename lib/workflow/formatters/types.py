"""Types of the older string functions, for skills that loop by flags."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from attrs import field, frozen

from ..types import AgentRole

QR_ITERATION_LIMIT = 5
"""Number of failures of a gate after which it asks a person."""


@frozen
class FlatCommand:
    """The only next command."""

    command: str


@frozen
class BranchCommand:
    """The next commands, by verdict."""

    if_pass: str
    if_fail: str


NextCommand: TypeAlias = FlatCommand | BranchCommand | None
"""The next command; None at the end."""


@frozen
class GuidanceResult:
    """The result of a step's guidance function."""

    title: str
    actions: Sequence[str]
    next: NextCommand = None


@frozen
class LinearRouting:
    """A route to the next step."""


@frozen
class BranchRouting:
    """A route that the verdict decides."""

    if_pass: int
    if_fail: int


@frozen
class TerminalRouting:
    """The end of the workflow."""


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
    """The state of a review loop.

    `failed` is true if the step is entered after a failure; `status` is the verdict of the step before.
    """

    iteration: int = 1
    failed: bool = False
    status: Literal["pass", "fail"] | None = None


@frozen
class GateConfig:
    """The routes of a gate. With `self_fix`, the role `fix_target` fixes the findings; None is the developer."""

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
