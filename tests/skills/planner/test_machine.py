"""Random commands have the same effect on a plan as on its model: accepted, refused, and content."""

import json
import os
import tempfile
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from lib.workflow.ast.batch import BatchStatus
from lib.workflow.cli.table.batch import run_batch
from skills.planner.commands.plan_table import TABLE
from skills.planner.schema.plan.document import Plan
from skills.planner.state.files import plan_store
from tests.blocks import statuses
from tests.skills.planner import model

TEXT = st.sampled_from(["x", "two\nlines", "a | b, and c", "</diff> & ]]> ```"])
LINE = st.sampled_from(["x", "a | b, and c"])
PATH = st.sampled_from([*model.PATHS, "a.py", "b.py", "d/c.py"])
DECISION = st.sampled_from(["DL-001", "DL-001", "DL-002"])
MILESTONE = st.sampled_from(["M-001", "M-001", "M-002", "M-003"])
INTENT = st.sampled_from(["CI-M-001-001", "CI-M-001-002", "CI-M-002-001"])
DIFF = st.sampled_from([model.diff_of(path) for path in ("a.py", "a.py", "b.py", "d/c.py")])
DIAGRAM = st.sampled_from(["DIAG-001", "DIAG-001", "DIAG-002"])
NODE = st.sampled_from(["api", "auth", "store"])
CURRENT = 0
"""A placeholder for the target's current version."""
VERSION = st.sampled_from([CURRENT, CURRENT, CURRENT, CURRENT, 1, 2])


def listed(one: st.SearchStrategy[str], least: int = 0) -> st.SearchStrategy[list[str]]:
    return st.lists(one, min_size=least, max_size=3)


def sets(
    command: str, ids: list[str], required: dict[str, Any], optional: dict[str, Any] | None = None, new: Any = None
) -> st.SearchStrategy[dict[str, Any]]:
    """Return requests to create, and to update."""
    name = st.just(command)
    more = optional or {}
    create = st.fixed_dictionaries({"command": name, **required, **(new or {})}, optional=more)
    known = {"command": name, "id": st.sampled_from(ids), "version": VERSION}
    return create | st.fixed_dictionaries(known, optional={**required, **more})


def plain(command: str, **values: Any) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"command": st.just(command), **values})


OWNER = {"milestone": MILESTONE}
SCOPE = st.sampled_from(["overview", "milestone:M-001", "milestone:M-002"])
REMOVABLE = ["DL-001", "DL-002", "RA-001", "R-001", "C-001", "C-002", "M-001", "M-002", "W-001", "CI-M-001-001"]
REMOVABLE += ["CC-M-001-001", "DIAG-001", "DIAG-002", "M-009"]

DECISIONS = (
    sets("set-decision", ["DL-001", "DL-002"], {"decision": TEXT, "reasoning": TEXT})
    | sets("set-rejected-alternative", ["RA-001"], {"alternative": TEXT, "reason": TEXT, "decision_ref": DECISION})
    | sets(
        "set-risk",
        ["R-001"],
        {"risk": TEXT, "mitigation": TEXT},
        {"decision_ref": DECISION | st.none(), "anchor": st.sampled_from(["a.py:L1-L2", None])},
    )
)
PARTS = (
    sets("set-constraint", ["C-001", "C-002"], {"constraint": TEXT}).filter(lambda r: "constraint" in r)
    | plain("set-overview", version=VERSION, problem=TEXT)
    | plain("set-overview", approach=TEXT)
    | plain("set-knowledge", version=VERSION, system=TEXT, invariants=listed(TEXT))
)
MILESTONES = sets(
    "set-milestone",
    ["M-001", "M-002"],
    {"name": LINE},
    {
        "files": listed(PATH),
        "requirements": listed(TEXT),
        "add_requirements": listed(TEXT, 1),
        "remove_requirements": st.lists(st.sampled_from(["x", "two", "nothing"]), min_size=1, max_size=2),
        "is_documentation_only": st.booleans(),
        "delegated_to": LINE | st.none(),
    },
)
INTENTS = sets(
    "set-intent", ["CI-M-001-001"], {"file": PATH, "behavior": TEXT}, {"decision_refs": listed(DECISION)}, OWNER
)
WAVES = sets("set-wave", ["W-001", "W-002"], {"milestones": listed(MILESTONE, 1)})
CODE = sets("set-change", ["CC-M-001-001"], {"intent_ref": INTENT, "diff": DIFF}, {"comments": TEXT | st.none()})
DOCS = sets("set-doc", ["CC-M-001-001"], {"diff": DIFF, "file": PATH}, {"comments": TEXT | st.none()}, OWNER)
DIAGRAMS = (
    plain("set-diagram-render", id=DIAGRAM, version=VERSION)
    | sets(
        "set-diagram",
        ["DIAG-001"],
        {"scope": SCOPE, "title": LINE},
        {"type": st.sampled_from(["state", "architecture"])},
    )
    | st.fixed_dictionaries(
        {"command": st.just("add-diagram-node"), "diagram": DIAGRAM, "node": NODE, "label": LINE},
        optional={"version": VERSION},
    )
    | plain("add-diagram-edge", diagram=DIAGRAM, source=NODE, target=NODE, label=LINE)
)
REMOVALS = plain("remove", id=st.sampled_from(REMOVABLE), version=VERSION) | plain(
    "remove", id=DIAGRAM, version=VERSION, node=NODE
)
REMOVALS |= plain("remove", id=DIAGRAM, version=VERSION, edge=st.integers(1, 3))
REMOVALS |= plain("remove-change", id=st.sampled_from(["CC-M-001-001", "M-001"]), version=VERSION)

BEGINNING: list[dict[str, Any]] = [
    {"command": "set-decision", "decision": "x", "reasoning": "y"},
    {"command": "set-milestone", "name": "one", "files": ["a.py"]},
    {"command": "set-milestone", "name": "two", "files": ["b.py"]},
    {"command": "set-intent", "milestone": "M-001", "file": "a.py", "behavior": "x", "decision_refs": ["DL-001"]},
    {"command": "set-intent", "milestone": "M-002", "file": "d/c.py", "behavior": "x"},
    {"command": "set-wave", "milestones": ["M-001", "M-002"]},
    {"command": "set-change", "intent_ref": "CI-M-001-001", "diff": model.diff_of("a.py")},
    {"command": "set-diagram", "scope": "milestone:M-001", "title": "x"},
    {"command": "add-diagram-node", "diagram": "DIAG-001", "node": "api", "label": "x"},
    {"command": "add-diagram-node", "diagram": "DIAG-001", "node": "auth", "label": "y"},
    {"command": "set-diagram-render", "id": "DIAG-001", "version": 3},
]
"""Requests with which most runs start, so that there is something to change."""


class Machine(RuleBasedStateMachine):
    """A plan on disk beside its model."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        plan_store(self.folder.name).create(Plan())
        self.model = model.empty()

    @initialize(begun=st.sampled_from([True, True, False]))
    def begin(self, begun: bool) -> None:
        if begun:
            self.ask(BEGINNING)
            assert self.model["diagram_graphs"]

    @rule(request=DECISIONS | PARTS | MILESTONES | INTENTS | WAVES | CODE | DOCS | DIAGRAMS | REMOVALS)
    def one(self, request: dict[str, Any]) -> None:
        self.ask([request])

    @rule(request=MILESTONES | INTENTS | WAVES | CODE)
    def build(self, request: dict[str, Any]) -> None:
        self.ask([request])

    @rule(request=DIAGRAMS)
    def draw(self, request: dict[str, Any]) -> None:
        self.ask([request])

    @rule(requests=st.lists(DECISIONS | MILESTONES | INTENTS | DIAGRAMS | REMOVALS, min_size=2, max_size=4))
    def batch(self, requests: list[dict[str, Any]]) -> None:
        self.ask(requests)

    def ask(self, requests: list[dict[str, Any]]) -> None:
        made, asked, expected = self.model, [], BatchStatus.DONE
        try:
            for request in requests:
                asked.append(model.changes(made, request))
                made = model.after(made, asked[-1])
        except model.NoError:
            expected = BatchStatus.REFUSED
        result = run_batch(TABLE, self.folder.name, asked, None)
        assert result.status is expected, (asked, result)
        if expected is BatchStatus.REFUSED:
            assert len(statuses(result)) == len(asked)
        if expected is BatchStatus.DONE:
            self.model = made

    @invariant()
    def same(self) -> None:
        with open(os.path.join(self.folder.name, "plan.json"), encoding="utf-8") as file:
            found = json.load(file)
        for diagram in found["diagram_graphs"]:
            diagram["ascii_render"] = diagram["ascii_render"] and model.DRAWN
        assert found == self.model

    def teardown(self) -> None:
        self.folder.cleanup()


def few_or_many(examples: int) -> settings:
    return settings(
        max_examples=examples, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )


def test_commands_change_a_plan_as_they_change_its_model() -> None:
    run_state_machine_as_test(Machine, settings=few_or_many(30))


@pytest.mark.thorough
def test_thousand_command_sequences_change_a_plan_as_its_model() -> None:
    run_state_machine_as_test(Machine, settings=few_or_many(1_000))
