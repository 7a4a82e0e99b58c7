"""Text of an earlier session reads as if the later one had written it, in any place and for any user."""

import os
from pathlib import Path

import pytest

from lib.workflow.ast.dispatch import Agent, InvokeTemplate, RosterDispatchNode, Target, Template, TemplateDispatchNode
from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Document, Element, Text
from lib.workflow.ast.step import Branch, CurrentAction, Invoke, InvokeAfter
from lib.workflow.command import Command
from lib.workflow.command.quoting import Slot, join
from lib.workflow.command.template import CommandTemplate
from lib.workflow.render.xml import render
from lib.workflow.run.journal.entry import Entry, Event
from lib.workflow.run.journal.move import Move
from lib.workflow.run.journal.spec import Session, Spec
from lib.workflow.types import AgentRole, Outcome

PLACES = ("/home/a/proj", "/home/a/proj/sub", "/home/My Docs/it's", "/home/Ünï/$x & <y>")
PYTHONS = (("/usr/bin/python3", "-P"), ("/My Docs/python", "-P"), ("uv", "run", "python", "-P"))


def session(project: str, launcher: tuple[str, ...]) -> Session:
    return Session(folder=f"{project}/.stepscript/runs/x", launcher=launcher)


def document(now: Session, elsewhere: str) -> Document:
    """Return a page with each place of a path or a command, and a path that only looks alike."""
    run, project = now.folder, now.folder.removesuffix("/.stepscript/runs/x")
    command = Command(
        "a.b", ("--step", "1", "--state-dir", run, f"--file={run}/x y", project, f"{run}-2"), now.launcher
    )
    template = CommandTemplate("a.b", ("--state-dir", run, Slot("GROUP_N")), now.launcher)
    shown = join((*now.launcher, "-m", "a.b", "--state-dir", run, f"{run}/plan.json"))
    parts: list[Node] = [
        Text(f"Look at `{run}` and\n\n{shown}\n"),
        Text(f"`{shown}`, not `/elsewhere{elsewhere}`."),
        Element("note", {"in": run}, f"{project}/src"),
        RosterDispatchNode(agent=AgentRole.DEVELOPER, agents=(Agent(invoke=Invoke(command)),)),
        TemplateDispatchNode(
            agent=AgentRole.DEVELOPER,
            template=Template(invoke=InvokeTemplate(template)),
            targets=(Target(id="one", values={"n": "1"}),),
        ),
    ]
    ways = (
        Branch(outcome=Outcome.OK, when=f"`{run}/x` is there", invoke=Invoke(command)),
        Branch(outcome=Outcome.FAIL, when="else", invoke=Invoke(command)),
    )
    return Document([CurrentAction(parts), InvokeAfter(branches=ways)])


@pytest.mark.parametrize("new", PLACES)
@pytest.mark.parametrize("old", PLACES)
def test_a_page_reads_as_if_it_were_printed_in_the_new_place(old: str, new: str) -> None:
    for then in (session(old, launcher) for launcher in PYTHONS):
        for now in (session(new, launcher) for launcher in PYTHONS):
            page = render(document(then, old))
            assert Move.between(then, now).page(page) == render(document(now, old))


def test_paths_of_another_run_stay_if_only_the_run_was_copied() -> None:
    then, now = (Session(folder=f"/p/.stepscript/runs/{name}") for name in ("x", "y"))
    text = "/p/src /p/.stepscript/runs/x /p/.stepscript/runs/x/plan.json /p/.stepscript/runs/x-2 /p/.stepscript/runs/x.2 z/p"
    moved = Move.between(then, now)
    assert moved.text(text) == text.replace("runs/x ", "runs/y ").replace("runs/x/", "runs/y/")
    assert moved.word("/p/.stepscript/runs/x-2") == "/p/.stepscript/runs/x-2"


def test_another_path_to_the_same_folder_is_not_a_move(tmp_path: Path) -> None:
    (tmp_path / "real" / "x").mkdir(parents=True)
    os.symlink("real", tmp_path / "link")
    then, now = (Session(folder=str(tmp_path / name / "x"), launcher=("python",)) for name in ("real", "link"))
    entry = Entry(event=Event.STEP, key="1", command=f"python -m a.b {then.folder}", text=then.folder)
    assert Move.between(then, now).entry(entry) == entry


def test_moved_run_rewrites_paths_and_keeps_the_interpreter() -> None:
    then, now = session("/one", ("old", "-P")), session("/My Docs/two", ("new", "-P"))
    start = Command("a.b", ("--state-dir", then.folder), ("old", "-P"))
    spec = Spec(
        workflow="x", start=str(start), request="See /one/todo and /oneself", agent="/one/agent --to '/one/a b'"
    )
    moved = Move.between(then, now).spec(spec)
    assert moved.start == str(Command("a.b", ("--state-dir", now.folder), ("old", "-P")))
    assert moved.agent == "'/My Docs/two/agent' --to '/My Docs/two/a b'"
    assert moved.request == "See '/My Docs/two/todo' and /oneself"
