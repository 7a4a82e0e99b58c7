"""`python3 -m tests.browser.pages FOLDER`: reports of runs, and graphs of workflows, for a browser to open."""

import os
import sys
from collections.abc import Callable

from attrs import evolve

from lib.workflow.app.main import main
from lib.workflow.app.runs.views.run_report import run_document
from lib.workflow.discovery import discover_workflows
from lib.workflow.graph.data import Graph, graph_of
from lib.workflow.graph.document import document
from lib.workflow.render.html import render_html
from lib.workflow.run.journal.journal import JOURNAL, Entry, Event, line_of, read
from skills.planner.next_step import Block, step_id
from skills.planner.phases import PLANNING
from skills.planner.schema.plan.diagram import DiagramEdge, DiagramNode
from skills.planner.schema.plan.document import Plan, Wave
from skills.planner.schema.plan.milestone import Milestone
from skills.planner.schema.review.document import Review
from skills.planner.schema.run import Run
from skills.planner.staging import begin
from skills.planner.state.files import change_run, plan_store
from skills.planner.state.reviews import review_store
from tests.graph import subjects
from tests.skills.planner import hostile
from tests.skills.planner.hostile import HARM, said
from tests.skills.planner.plans import CHANGE, CODE, DIAGRAM, INTENT, PLAN

MILESTONES = 300
PARTIES = 8
AGENTS = 500
WAVE = 10
"""Milestones in each wave of the large plan."""


def large() -> Plan:
    """Return a plan of MILESTONES milestones, and a diagram of PARTIES services that call one another."""
    milestones = tuple(map(_milestone, range(1, MILESTONES + 1)))
    waves = (
        Wave(id=f"W-{first // WAVE + 1:03d}", milestones=tuple(each.id for each in milestones[first : first + WAVE]))
        for first in range(0, MILESTONES, WAVE)
    )
    nodes = tuple(DiagramNode(id=f"n{number}", label=f"Service {number}") for number in range(PARTIES))
    pairs = ((number, (number * step + 1) % PARTIES) for step in (1, 3) for number in range(PARTIES))
    edges = tuple(DiagramEdge(source=f"n{a}", target=f"n{b}", label=f"asks {b}") for a, b in pairs)
    drawn = evolve(DIAGRAM, id="DIAG-002", scope="overview", nodes=nodes, edges=edges, ascii_render=None)
    return evolve(PLAN, milestones=milestones, waves=tuple(waves), diagram_graphs=(DIAGRAM, drawn))


def _milestone(number: int) -> Milestone:
    name = f"M-{number:03d}"
    intent = evolve(INTENT, id=f"CI-{name}-001")
    change = evolve(CHANGE, id=f"CC-{name}-001", intent_ref=intent.id)
    return evolve(CODE, id=name, code_intents=(intent,), code_changes=(change,))


def make(folder: str, plan: Plan, change: Callable[[Run], Run], review: Review | None = None) -> None:
    """Make a run at a gate of its last round, and its report."""
    os.makedirs(folder)
    row = PLANNING[0]
    begin(discover_workflows()["planner"], step_id(row, Block.ROUTE), folder)
    plan_store(folder).change(lambda _: (plan, None))
    change_run(folder, change)
    if review:
        review_store(folder, review.phase).create(review)
    assert main(["report", "--state-dir", folder]) == 0


def driven(folder: str, agents: int = 0) -> None:
    """Write the report of a run that a driver leads, with further agents after its last page."""
    assert main(["rehearse", "deepthink", "--all-faults", "--keep", folder]) == 0
    path = os.path.join(folder, "driver", JOURNAL)
    *events, end = read(path)
    key = [each.key for each in events if each.event is Event.STEP][-1]
    for number in range(agents):
        agent = Entry(event=Event.ATTEMPT, key=f"{key}.{number}", who="developer", number=1, at=end.at)
        text = HARM * 20 + "\n\n- a\n- b\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
        events += [agent, evolve(agent, event=Event.REPLIED if number % 7 else Event.FAILED, text=text)]
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"{line_of(each)}\n" for each in (*events, end))
    assert main(["report", folder]) == 0


def live(folder: str) -> None:
    """Write two versions of a page that loads itself again: the second one has further pages of the run."""
    assert main(["rehearse", "deepthink", "--keep", folder]) == 0
    path = os.path.join(folder, "driver", JOURNAL)
    *events, _ = read(path)
    half = [index for index, each in enumerate(events) if each.event is Event.STEP][-3]
    for name, count in (("longer", len(events)), ("live", half)):
        with open(path, "w", encoding="ascii") as file:
            file.writelines(f"{line_of(each)}\n" for each in events[:count])
        with open(os.path.join(folder, f"{name}.html"), "w", encoding="utf-8") as file:
            file.write(render_html(run_document(folder, None), is_live=True))


def drawn(folder: str, name: str, graph: Graph) -> None:
    """Write the page of a workflow's graph."""
    os.makedirs(os.path.join(folder, name))
    with open(os.path.join(folder, name, "report.html"), "w", encoding="utf-8") as file:
        file.write(render_html(document(graph)))


if __name__ == "__main__":
    shots = os.path.abspath(sys.argv[1])
    make(os.path.join(shots, "plain"), hostile.PLAN, hostile.run, hostile.REVIEW)
    make(
        os.path.join(shots, "hostile"),
        said(hostile.PLAN, HARM),
        lambda run: said(hostile.run(run), HARM),
        said(hostile.REVIEW, HARM),
    )
    make(os.path.join(shots, "large"), large(), hostile.run)
    driven(os.path.join(shots, "driven"))
    driven(os.path.join(shots, "driven-large"), AGENTS)
    live(os.path.join(shots, "live"))
    for name in ("planner", "incoherence"):
        drawn(shots, f"graph-{name}", graph_of(discover_workflows()[name]))
    drawn(shots, "graph-hostile", subjects.hostile(HARM.strip()))
