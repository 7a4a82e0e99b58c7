"""All commands on the plan and the context of a run, and who may use each (002, "Mutation Ownership")."""

import os
from typing import Annotated, Final

from lib.workflow.table.arguments import Flag
from lib.workflow.table.rows import On, Table, act
from lib.workflow.types import AgentRole

from ..schema.decisions import Decision, RejectedAlternative, Risk
from ..schema.diagram import Diagram
from ..schema.milestone import CodeChange, CodeIntent, Milestone
from ..schema.plan import Plan, Wave
from ..state.files import plan_store
from .beginning import init
from .changes import set_change, set_doc
from .checking import validate
from .context import freeze_context, set_context
from .decisions import set_decision, set_rejected_alternative, set_risk
from .diagrams import add_diagram_edge, add_diagram_node, set_diagram, set_diagram_render
from .entity import needed_for
from .examples import BATCH
from .examples import EXAMPLES as SHOWN
from .milestones import set_intent, set_milestone, set_wave
from .parts import set_constraint, set_knowledge, set_overview
from .reading import get, list_
from .removal import remove, remove_change
from .rendering import render

ORCHESTRATOR: Final = (AgentRole.ORCHESTRATOR,)
ARCHITECT: Final = (AgentRole.ARCHITECT,)
DEVELOPER: Final = (AgentRole.DEVELOPER,)
WRITER: Final = (AgentRole.TECHNICAL_WRITER,)
ANYBODY: Final = tuple(AgentRole)


def opened(state_dir: Annotated[str, Flag(description="the folder of the run's state files")]) -> str:
    """The state directory, wherever the reader stands."""
    return os.path.abspath(state_dir)


_plan: Final[On[str, Plan]] = On(plan_store)
_change, _look = _plan.change, _plan.look

TABLE: Final = Table(
    module="skills.planner.cli.plan",
    description="Read and change the plan of a run. Nobody edits its files by hand.",
    opens=opened,
    shared=("--state-dir", "/tmp/state"),
    batch=BATCH,
    rows=(
        act("init", init, roles=ORCHESTRATOR, examples=SHOWN["init"]),
        act("set-context", set_context, roles=ORCHESTRATOR, examples=SHOWN["set-context"]),
        act("freeze-context", freeze_context, roles=ORCHESTRATOR, examples=SHOWN["freeze-context"]),
        _change("set-overview", set_overview, roles=ARCHITECT, examples=SHOWN["set-overview"]),
        _change("set-knowledge", set_knowledge, roles=ARCHITECT, examples=SHOWN["set-knowledge"]),
        _change(
            "set-constraint", set_constraint, roles=ARCHITECT, needs=("constraint",), examples=SHOWN["set-constraint"]
        ),
        _change(
            "set-decision", set_decision, roles=ARCHITECT, needs=needed_for(Decision), examples=SHOWN["set-decision"]
        ),
    ),
)
