"""Table of all commands on the plan and the context of a run, with the roles that may use each."""

import os
from collections.abc import Callable
from typing import Annotated, Concatenate, Final, TypeAlias

from lib.workflow.ast.fields import Node
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.cli.table.rows import On, Table, act, begin
from lib.workflow.types import AgentRole

from ..modules import PLAN
from ..reports.rendering import render
from ..schema.context import EMPTY_CONTEXT, Context
from ..schema.plan.decisions import Decision, RejectedAlternative, Risk
from ..schema.plan.diagram import Diagram
from ..schema.plan.document import Plan, Wave
from ..schema.plan.milestone import CodeIntent, Milestone
from ..state.beginning import beginnable
from ..state.frozen import open_plan
from .applying import apply
from .beginning import init
from .comparing import compare, difference
from .examples import BATCH, EXAMPLES
from .ledger import reconciled, reopen, set_answer, set_depth
from .plan.changes import set_change, set_doc
from .plan.checking import validate
from .plan.context import OpenContext, freeze_context, set_context
from .plan.decisions import set_decision, set_rejected_alternative, set_risk
from .plan.diagrams import add_diagram_edge, add_diagram_node, render_diagram, set_diagram, set_diagram_render
from .plan.entity import Result, needed_for
from .plan.milestones import set_intent, set_milestone, set_wave
from .plan.parts import set_constraint, set_knowledge, set_overview
from .plan.reading import get, list_
from .plan.removal import remove, remove_change
from .scratch import copy, record_changes, scratch
from .submit import submit

Roles: TypeAlias = tuple[AgentRole, ...]
ORCHESTRATOR: Final = (AgentRole.ORCHESTRATOR,)
ARCHITECT: Final = (AgentRole.ARCHITECT,)
DEVELOPER: Final = (AgentRole.DEVELOPER,)
WRITER: Final = (AgentRole.TECHNICAL_WRITER,)
WORKERS: Final = (*ARCHITECT, *DEVELOPER, *WRITER)
ANYBODY: Final = tuple(AgentRole)

CHANGES: Final[tuple[tuple[str, Callable[Concatenate[Plan, ...], Result], Roles, tuple[str, ...]], ...]] = (
    ("set-overview", set_overview, ARCHITECT, ()),
    ("set-knowledge", set_knowledge, ARCHITECT, ()),
    ("set-constraint", set_constraint, ARCHITECT, ("constraint",)),
    ("set-decision", set_decision, ARCHITECT, needed_for(Decision)),
    ("set-rejected-alternative", set_rejected_alternative, ARCHITECT, needed_for(RejectedAlternative)),
    ("set-risk", set_risk, ARCHITECT, needed_for(Risk)),
    ("set-milestone", set_milestone, ARCHITECT, needed_for(Milestone)),
    ("set-intent", set_intent, ARCHITECT, ("milestone", *needed_for(CodeIntent))),
    ("set-wave", set_wave, ARCHITECT, needed_for(Wave)),
    ("set-diagram", set_diagram, ARCHITECT, needed_for(Diagram)),
    ("add-diagram-node", add_diagram_node, ARCHITECT, ()),
    ("add-diagram-edge", add_diagram_edge, ARCHITECT, ()),
    ("set-change", set_change, DEVELOPER, ("intent_ref", "diff")),
    ("set-doc", set_doc, WRITER, ("milestone", "file", "diff")),
    ("set-diagram-render", set_diagram_render, WRITER, ()),
    ("remove", remove, ARCHITECT, ()),
    ("remove-change", remove_change, (*DEVELOPER, *WRITER), ()),
)
"""The commands that change the plan, each with its roles and the values that it needs to create something."""
LOOKS: Final[tuple[tuple[str, Callable[Concatenate[Plan, ...], Node]], ...]] = (
    ("list", list_),
    ("render-diagram", render_diagram),
    ("validate", validate),
)
"""The commands that read the plan; all roles may use them."""


def opened(state_dir: Annotated[str, Flag(description="the folder of the run's state files", path=True)]) -> str:
    """Return the state directory as an absolute path."""
    return os.path.abspath(state_dir)


_context: Final[On[str, Context]] = On(OpenContext, first=lambda: EMPTY_CONTEXT)
_plan: Final[On[str, Plan]] = On(open_plan, first=Plan)

TABLE: Final = Table(
    module=PLAN,
    word="plan",
    takes={"state_dir": "the last active run of this project"},
    description="Read and change the plan of a run. Nobody edits its files by hand.",
    opens=opened,
    shared=("--state-dir", "state"),
    batch=BATCH,
    rows=(
        begin("init", init, beginnable, roles=ORCHESTRATOR, examples=EXAMPLES["init"]),
        _context.change("set-context", set_context, roles=ORCHESTRATOR, examples=EXAMPLES["set-context"]),
        act("freeze-context", freeze_context, roles=ORCHESTRATOR, examples=EXAMPLES["freeze-context"]),
        act("set-depth", set_depth, roles=ORCHESTRATOR, examples=EXAMPLES["set-depth"]),
        act("set-answer", set_answer, roles=ORCHESTRATOR, examples=EXAMPLES["set-answer"]),
        *(
            _plan.change(name, handler, roles=roles, needs=needs, examples=EXAMPLES[name])
            for name, handler, roles, needs in CHANGES
        ),
        _plan.look_around("get", get, roles=ANYBODY, examples=EXAMPLES["get"]),
        *(_plan.look(name, handler, roles=ANYBODY, examples=EXAMPLES[name]) for name, handler in LOOKS),
        act("scratch", scratch, roles=ANYBODY, examples=EXAMPLES["scratch"]),
        act("copy", copy, roles=ANYBODY, examples=EXAMPLES["copy"]),
        act("record-changes", record_changes, roles=(*DEVELOPER, *WRITER), examples=EXAMPLES["record-changes"]),
        act("submit", submit, roles=WORKERS, examples=EXAMPLES["submit"]),
        act("reopen", reopen, roles=ORCHESTRATOR, examples=EXAMPLES["reopen"]),
        act("reconciled", reconciled, roles=(AgentRole.QUALITY_REVIEWER,), examples=EXAMPLES["reconciled"]),
        act("apply", apply, roles=(*DEVELOPER, *WRITER), examples=EXAMPLES["apply"]),
        act("compare", compare, roles=ANYBODY, examples=EXAMPLES["compare"]),
        act("difference", difference, roles=ANYBODY, examples=EXAMPLES["difference"]),
        act("render", render, roles=ANYBODY, examples=EXAMPLES["render"]),
    ),
)
