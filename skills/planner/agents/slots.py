"""What fills the slots of the planner's texts: each a function of the phase, the agent's role and the context."""

import os
from collections.abc import Callable, Mapping
from functools import cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from lib.workflow.ast.declare import Node
from lib.workflow.ast.nodes import Text
from lib.workflow.command import Command
from lib.workflow.errors import WorkflowError
from lib.workflow.handling import StepContext
from lib.workflow.shell import join
from lib.workflow.slots import SlotValue, fill, slots_in
from lib.workflow.types import AgentRole

from ..limits import MAX_PARALLEL, MAX_ROUNDS
from ..modules import PLAN, QR, RESUME, STATUS
from ..phases import Row
from ..state.files import CONTEXT_FILE, KEPT, PLAN_FILE
from ..state.run_state import RunState, state_of

if TYPE_CHECKING:
    from lib.workflow.resources import ResourceProvider


class Where(NamedTuple):
    """Where a slot stands."""

    row: Row
    role: AgentRole
    context: StepContext

    @property
    def state(self) -> RunState:
        """The state of the run."""
        return state_of(self.context)

    @property
    def options(self) -> tuple[str, ...]:
        """What every command of the run carries."""
        return ("--state-dir", self.state.state_dir, "--role", self.role)

    def plan(self, *words: str) -> Command:
        """A command that changes or reads the plan."""
        return Command(PLAN, (*self.options, *words))

    def qr(self, *words: str) -> Command:
        """A command that changes or reads the review of the phase."""
        return Command(QR, (*self.options, "--qr-phase", self.row.phase, *words))


MAX_COMMITS: Final = 20
"""That a reader is shown."""
Fact: TypeAlias = Callable[[Where], SlotValue]


def _asking() -> str:
    from lib.workflow.questions import SUB_AGENT_QUESTION_FORMAT  # only a page that tells how to ask pays for it

    return SUB_AGENT_QUESTION_FORMAT


def _context_fields() -> int:
    from ..schema.context import ContextField  # only the pages on the context pay for it

    return len(ContextField)


def _max_width() -> int:
    from ..diagrams.sizes import WIDTH  # only the pages on drawings pay for it

    return WIDTH


@cache
def resources() -> "ResourceProvider":
    """What pages embed; only those that do pay for it."""
    from lib.workflow.resources import Packaged
    from skills.conventions.texts import get_convention

    return Packaged(os.path.dirname(os.path.dirname(__file__)), get_convention)


COMMON: Final[Mapping[str, Fact]] = {
    "state_dir": lambda where: where.state.state_dir,
    "phase": lambda where: where.row.phase,
    "project_root": lambda where: where.state.run.project_root,
    "git": lambda where: join(("git", "-C", where.state.run.project_root)),
    "max_commits": lambda where: MAX_COMMITS,
    "task": lambda where: where.state.run.task,
    "plan_file": lambda where: where.state.path(PLAN_FILE),
    "context_file": lambda where: where.state.path(CONTEXT_FILE),
    "kept": lambda where: where.state.path(KEPT),
    "qr_file": lambda where: where.state.path(where.row.phase.review_file),
    "plan": lambda where: where.plan(),
    "qr": lambda where: where.qr(),
    "validate": lambda where: where.plan("validate", "--phase", where.row.phase),
    "submit": lambda where: where.plan("submit", where.row.phase),
    "round": lambda where: where.state.round(where.row.phase),
    "max_rounds": lambda where: MAX_ROUNDS + where.state.run.granted(where.row.phase),
    "max_parallel": lambda where: MAX_PARALLEL,
    "resume": lambda where: Command(RESUME, ("--state-dir", where.state.state_dir)),
    "status": lambda where: Command(STATUS, ("--state-dir", where.state.state_dir)),
    "context_fields": lambda where: _context_fields(),
    "max_width": lambda where: _max_width(),
    "asking": lambda where: _asking(),
    "diff_format": lambda where: resources().convention("diff-format"),
    "documentation": lambda where: resources().convention("documentation"),
    "intent_markers": lambda where: resources().convention("intent-markers"),
    "severity": lambda where: resources().convention("severity"),
    "structural": lambda where: resources().convention("structural"),
    "temporal": lambda where: resources().convention("temporal"),
    "plan_format": lambda where: resources().resource("plan-format"),
    "explore_output_format": lambda where: resources().resource("explore-output-format"),
}
"""Those that every text can use."""


def slots_for(
    text: str, row: Row, role: AgentRole, facts: Mapping[str, Fact]
) -> dict[str, Callable[[StepContext], SlotValue]]:
    """What fills the slots of a text. Raises WorkflowError for one that nothing fills."""
    known = {**COMMON, **facts}
    names = slots_in([Text(text)])
    strangers = sorted(names - known.keys())
    if strangers:
        raise WorkflowError(f"nothing fills {', '.join(f'{{{{{name}}}}}' for name in strangers)}")
    return {name: partial(_filled, known[name], row, role) for name in sorted(names)}


def passage(text: str, where: Where, facts: Mapping[str, Fact] = MappingProxyType({})) -> tuple[Node, ...]:
    """A text within a page, where the record asks for it, its slots filled. Raises KeyError for a stranger."""
    known = {**COMMON, **facts}
    whole = (Text(text),) if text else ()
    return fill(whole, {name: known[name](where) for name in slots_in(whole)})


def _filled(fact: Fact, row: Row, role: AgentRole, context: StepContext) -> SlotValue:
    return fact(Where(row, role, context))
