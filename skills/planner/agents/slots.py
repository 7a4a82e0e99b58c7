"""Resolvers of the slots in the planner's texts: functions of the phase, the agent's role and the context."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Text
from lib.workflow.command import Command
from lib.workflow.command.quoting import join
from lib.workflow.errors import WorkflowError
from lib.workflow.handlers.base import StepContext
from lib.workflow.prompts.slots import SlotValue, fill, slots_in
from lib.workflow.render.writer import bullet
from lib.workflow.types import AgentRole
from lib.workflow.util.characters import broken

from ..limits import PLAN_BASE, PLAN_EACH
from ..modules import PLAN, QR, RESUME, STATUS
from ..phases import EXECUTING, PhaseSpec, row_of
from ..schema.phase import Phase
from ..state.answers import answers_for
from ..state.files import BRIEF, DIFFERENCE_FILE, PLAN_TEXT
from ..state.run_state import RunState, state_of
from ..texts import sections


class _Place(NamedTuple):
    row: PhaseSpec
    role: AgentRole
    context: StepContext


class SlotContext(_Place):
    """The place where a slot is filled."""

    @cached_property
    def state(self) -> RunState:
        """Return the state of the run, which is read once for a slot, because slots change nothing."""
        return state_of(self.context)

    @property
    def options(self) -> tuple[str, ...]:
        """Return the options that every command of the run carries."""
        return ("--state-dir", self.state.state_dir, "--role", self.role)

    def plan(self, *words: str) -> Command:
        """Return a command that changes or reads the plan."""
        return Command(PLAN, (*self.options, *words))

    def qr(self, *words: str) -> Command:
        """Return a command that changes or reads the review of the phase."""
        return Command(QR, (*self.options, "--qr-phase", self.row.phase, *words))


FAILURES: Final = ("failures", "failure", "check", "finding", "more")
"""The elements of the list of failed items."""
MAX_COMMITS: Final = 20
"""Most commits that a page shows."""
RULES: Final = "rules"
"""The name of the file of the rules, and of its section."""
SlotResolver: TypeAlias = Callable[[SlotContext], SlotValue]


def _brief(where: SlotContext) -> str:
    """Name the file that an agent reads first, and list the user's answers: each may settle what another would ask."""
    read = f"Read `{where.state.text(BRIEF)}` first: the request and the plan."
    given: dict[str, str] = {}
    for each in answers_for(where.state, where.row.phase):
        given.setdefault(each.header, each.text)
    if not given:
        return read
    lines = (bullet(broken(f"{header}: {text}")) for header, text in given.items())
    return "\n".join([read, "", "The user answered:", "", *lines])


def _asking() -> str:
    from lib.workflow.handlers.ask_user import (
        SUB_AGENT_QUESTION_FORMAT,  # only a page that explains how to ask pays for this import
    )

    return SUB_AGENT_QUESTION_FORMAT


def _max_width() -> int:
    from ..diagrams.layout.sizes import WIDTH  # only the pages on drawings pay for this import

    return WIDTH


def _temporal(where: SlotContext) -> str:
    """Return the kinds of wording that go out of date, one per line."""
    from skills.conventions.timeless.kinds import kinds  # only the pages on documentation pay for this import

    return "\n".join(f"- {row.question} `{row.contaminated[0]}`" for row in kinds().values())


def rules() -> str:
    """Return the rules for the agent that leads a run."""
    return sections(RULES)[RULES].text


def _remarks(where: SlotContext) -> str:
    """List the remarks on the plan until its first wave has passed, then those on the waves of a full run.

    In a light run the page that asks for a wave's commit shows the remarks on it.
    """
    run = where.state.run
    executed = EXECUTING if not run.is_light else ()
    found = [(phase, text) for phase, text in run.remarks if row_of(phase) in executed or not run.waves_passed]
    return remarks_listed("Reviewers left these remarks. Follow those that help:", found)


def remarks_listed(head: str, found: Sequence[tuple[Phase, str]]) -> str:
    """Return the remarks below a line; an empty text without remarks."""
    if not found:
        return ""
    lines = (bullet(f"{phase}: {' '.join(remark.split())}") for phase, remark in found)
    return "\n".join([head, "", *lines])


def _batch(where: SlotContext) -> str:
    return f"{where.plan('batch')} <<'END'"


COMMON: Final[Mapping[str, SlotResolver]] = {
    "state_dir": lambda where: where.state.state_dir,
    "difference_file": lambda where: where.state.text(DIFFERENCE_FILE),
    "plan_file": lambda where: where.state.text(PLAN_TEXT),
    "phase": lambda where: where.row.phase,
    "project_root": lambda where: where.state.root,
    "git": lambda where: join(("git", "-C", where.state.root)),
    "max_commits": lambda where: MAX_COMMITS,
    "task": lambda where: where.state.run.task,
    "plan": lambda where: where.plan(),
    "submit": lambda where: where.plan("submit", where.row.phase),
    "resume": lambda where: Command(RESUME, ("--state-dir", where.state.state_dir)),
    "status": lambda where: Command(STATUS, ("--state-dir", where.state.state_dir)),
    "max_width": lambda where: _max_width(),
    "asking": lambda where: _asking(),
    "brief": _brief,
    "batch": _batch,
    "temporal": _temporal,
    "rules": lambda where: rules(),
    "plan_base": lambda where: f"{PLAN_BASE:,}",
    "plan_each": lambda where: f"{PLAN_EACH:,}",
    "remarks": _remarks,
}
"""Resolvers that every text can use."""


def slots_for(
    text: str, row: PhaseSpec, role: AgentRole, facts: Mapping[str, SlotResolver]
) -> dict[str, Callable[[StepContext], SlotValue]]:
    """Return the resolvers for the slots of a text. Raises WorkflowError for a slot without a resolver."""
    known = {**COMMON, **facts}
    names = slots_in([Text(text)])
    strangers = sorted(names - known.keys())
    if strangers:
        raise WorkflowError(f"nothing fills {', '.join(f'{{{{{name}}}}}' for name in strangers)}")
    return {name: partial(_filled, known[name], row, role) for name in sorted(names)}


def passage(
    text: str, where: SlotContext, facts: Mapping[str, SlotResolver] = MappingProxyType({})
) -> tuple[Node, ...]:
    """Return a text within a page with its slots filled. Raises KeyError for an unknown slot."""
    known = {**COMMON, **facts}
    whole = (Text(text),) if text else ()
    return fill(whole, {name: known[name](where) for name in slots_in(whole)})


def _filled(fact: SlotResolver, row: PhaseSpec, role: AgentRole, context: StepContext) -> SlotValue:
    return fact(SlotContext(row, role, context))
