"""Refused requests: each names its fix, and leaves the plan unchanged."""

import pytest

from lib.workflow.ast.results import VersionMismatchError
from lib.workflow.codec import codec
from skills.planner.schema.plan.decisions import Decision
from skills.planner.schema.plan.versions import version_of
from skills.planner.state.files import plan_store
from tests.skills.planner import console
from tests.skills.planner.plans import DECISION, PLAN
from tests.wording import carries

OTHER = "--- a/src/other.py\n+++ b/src/other.py\n@@ -1 +1 @@\n-old\n+new\n"

REFUSED: dict[str, tuple[tuple[str, ...], str, str]] = {
    "an unknown id": (("set-decision", "--id", "DL-009", "--version", "1", "--decision", "x"), "unknown-id", "DL-001"),
    "an unknown id before an unknown reference": (
        ("set-intent", "--id", "CI-M-001-009", "--version", "1", "--decision-ref", "DL-009"),
        "unknown-id",
        "CI-M-001-001",
    ),
    "an id of another kind": (("set-decision", "--id", "M-001", "--version", "1", "--decision", "x"), "unknown-id", "DL-001"),
    "a malformed id": (("get", "--id", "W-²"), "unknown-id", "context"),
    "a path out of the project": (("set-milestone", "--name", "x", "--file", "/etc/passwd"), "invalid-value", "'/etc/passwd':"),
    "a parent": (("set-milestone", "--name", "x", "--file", "../x"), "invalid-value", "'..'"),
    "a folder": (("set-milestone", "--name", "x", "--file", "src/"), "invalid-value", "'src/':"),
    "a diagram of no milestone": (
        ("set-diagram", "--scope", "milestone:M-009", "--title", "x"),
        "broken-reference",
        "M-009",
    ),
    "an intent of no milestone": (
        ("set-intent", "--milestone", "M-009", "--file", "a.py", "--behavior", "x"),
        "unknown-id",
        "M-001",
    ),
    "an intent of no decision": (
        ("set-intent", "--milestone", "M-001", "--file", "a.py", "--behavior", "x", "--decision-ref", "DL-009"),
        "broken-reference",
        "DL-009",
    ),
    "an intent of documentation": (
        ("set-intent", "--milestone", "M-002", "--file", "a.py", "--behavior", "x"),
        "invalid-value",
        "CI-M-002-001",
    ),
    "an intent that moves": (
        ("set-intent", "--id", "CI-M-001-001", "--version", "1", "--milestone", "M-002"),
        "invalid-value",
        "M-001",
    ),
    "documentation in a wave": (("set-wave", "--milestone", "M-002"), "broken-reference", "M-002"),
    "a milestone in two waves": (("set-wave", "--milestone", "M-001"), "broken-reference", "W-001"),
    "a change of no intent": (("set-change", "--intent-ref", "CI-M-001-009", "--diff", "x"), "unknown-id", "CI-M-001-001"),
    "a malformed diff": (("set-change", "--intent-ref", "CI-M-001-001", "--diff", "x"), "invalid-diff", "'x':"),
    "a diff of another file": (
        ("set-change", "--intent-ref", "CI-M-001-001", "--diff", OTHER),
        "invalid-diff",
        "src/other.py",
    ),
    "documentation by a malformed diff": (
        ("set-doc", "--id", "CC-M-001-001", "--version", "1", "--diff", "x"),
        "invalid-diff",
        "'x':",
    ),
    "a change that is documentation": (
        ("set-change", "--id", "CC-M-002-001", "--version", "1", "--comments", "x"),
        "invalid-value",
        "set-doc",
    ),
    "an unknown part": (("get", "--id", "M-009"), "unknown-id", "context"),
    "a drawing of something else": (
        ("set-diagram-render", "--id", "DIAG-001", "--version", "1", "--render", "+---+\n| X |\n+---+"),
        "invalid-drawing",
        "API",
    ),
    "removing an unknown node": (
        ("remove", "--id", "DIAG-001", "--version", "1", "--node", "x"),
        "unknown-id",
        "api, auth",
    ),
    "documentation that moves": (
        ("set-doc", "--id", "CC-M-001-001", "--version", "1", "--file", "b.py"),
        "invalid-value",
        "src/auth.py",
    ),
    "an edge to nowhere": (
        ("add-diagram-edge", "--diagram", "DIAG-001", "--source", "api", "--target", "x"),
        "broken-reference",
        "DIAG-001.edges:",
    ),
    "a node twice": (("add-diagram-node", "--diagram", "DIAG-001", "--node", "api", "--label", "x"), "exists", ""),
    "removing what is referred to": (("remove", "--id", "DL-001", "--version", "1"), "broken-reference", "RA-001"),
    "removing a node with edges": (
        ("remove", "--id", "DIAG-001", "--version", "1", "--node", "api"),
        "broken-reference",
        "DIAG-001.edges:",
    ),
    "removing an unknown edge": (("remove", "--id", "DIAG-001", "--version", "1", "--edge", "2"), "unknown-id", "1"),
    "removing a part of no diagram": (("remove", "--id", "M-001", "--version", "1", "--node", "x"), "invalid-value", ""),
    "an unknown constraint": (("remove", "--id", "C-002", "--version", "1"), "unknown-id", "C-001"),
    "lines backwards": (("set-risk", "--id", "R-001", "--version", "1", "--anchor", "a.py:L9-L1"), "invalid-value", "L10-L50"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_request_that_means_nothing_changes_nothing(state: str, name: str) -> None:
    words, code, needle = REFUSED[name]
    ran = console.plan(state, *words)
    assert (ran.status, ran.err) == (1, "")
    assert ran.refusal.code == code
    assert carries(f"{ran.refusal.message} {ran.refusal.fix}", needle)
    assert plan_store(state).load() == PLAN


WRONG: dict[str, tuple[str, ...]] = {
    "a version without an id": ("set-decision", "--version", "1", "--decision", "x", "--reasoning", "y"),
    "too little to create": ("set-decision", "--decision", "x"),
    "a version with a point": ("set-decision", "--id", "DL-001", "--version", "1.0", "--decision", "x"),
    "a version in other digits": ("set-decision", "--id", "DL-001", "--version", "²", "--decision", "x"),
    "an unknown flag": ("set-decision", "--bogus", "1"),
    "an unknown command": ("set-decisions",),
    "a phase that plans nothing": ("validate", "--phase", "impl-code"),
    "an unknown role": ("get", "--id", "plan", "--role", "qr"),
    "an unknown type": ("set-diagram", "--type", "flow", "--scope", "overview", "--title", "x"),
    "a wave of nothing": ("set-wave",),
    "an unknown field": ("set-context", "goal", "--entry", "x"),
    "a blank": ("set-decision", "--id", "DL-001", "--version", "1", "--reasoning", " "),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_call_is_said_on_standard_error(state: str, name: str) -> None:
    ran = console.plan(state, *WRONG[name])
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.strip()
    assert "Traceback" not in ran.err
    assert plan_store(state).load() == PLAN


def mismatch(ran: console.Ran) -> VersionMismatchError:
    (error,) = [node for node in ran.nodes if isinstance(node, VersionMismatchError)]
    assert ran.status == 1
    return error


def test_an_update_of_an_older_version_brings_the_entity_as_it_is(state: str) -> None:
    words = ("set-decision", "--id", "DL-001", "--version")
    assert console.plan(state, *words, "1", "--decision", "Sign </current_entity> & ]]>").status == 0
    error = mismatch(console.plan(state, *words, "1", "--decision", "mine"))
    assert (error.entity_id, error.provided_version, error.current_version) == ("DL-001", 1, 2)
    found = codec(Decision).loads(error.current_entity)
    assert found.decision == "Sign </current_entity> & ]]>"
    assert found.reasoning == DECISION.reasoning
    assert console.plan(state, *words, str(error.current_version), "--decision", "mine").result.version == 3


UNVERSIONED: dict[str, tuple[tuple[str, ...], str]] = {
    "DL-001": (("set-decision", "--id", "DL-001", "--decision", "x"), "Sign tokens with HMAC"),
    "overview": (("set-overview", "--problem", "x"), "Anybody gets in"),
    "C-001": (("set-constraint", "--id", "C-001", "--constraint", "x"), "MUST: Python 3.11"),
    "M-001": (("set-milestone", "--id", "M-001", "--name", "x"), "CI-M-001-001"),
    "CC-M-001-001": (("remove-change", "--id", "CC-M-001-001"), "src/auth.py"),
    "R-001": (("remove", "--id", "R-001"), "Rotate it"),
    "DIAG-001": (("set-diagram-render", "--id", "DIAG-001"), "Verification"),
}


@pytest.mark.parametrize("name", UNVERSIONED)
def test_an_update_without_a_version_brings_that_entity_alone(state: str, name: str) -> None:
    words, shown = UNVERSIONED[name]
    ran = console.plan(state, *words)
    error = mismatch(ran)
    assert (error.entity_id, error.provided_version) == (name, None)
    assert shown in error.current_entity
    assert len(ran.out) < 900
    assert plan_store(state).load() == PLAN


def test_a_conflict_shows_neither_what_belongs_to_a_milestone_nor_a_long_diff(state: str) -> None:
    lines = "".join(f"+line {number}\n" for number in range(200))
    long = f"--- a/src/auth.py\n+++ b/src/auth.py\n@@ -1 +1,200 @@\n-old\n{lines}"
    change = ("set-change", "--id", "CC-M-001-001", "--version")
    assert console.plan(state, *change, "1", "--diff-file", "-", given=long).status == 0
    milestone = mismatch(console.plan(state, "set-milestone", "--id", "M-001", "--name", "x"))
    error = mismatch(console.plan(state, *change, "1", "--comments", "x"))
    assert "line 7" not in milestone.current_entity + error.current_entity
    assert "get --id CC-M-001-001 --raw" in error.current_entity


def test_a_constraint_does_not_make_an_update_of_the_overview_stale(state: str) -> None:
    version = str(version_of(PLAN.overview))
    assert console.plan(state, "set-constraint", "--constraint", "x").status == 0
    assert console.plan(state, "set-knowledge", "--invariant", "y").status == 0
    assert console.plan(state, "set-overview", "--version", version, "--problem", "z").status == 0
    assert console.plan(state, "set-overview", "--version", version, "--problem", "z").status == 1


def test_a_constraint_that_has_moved_up_is_not_taken_for_the_one_before(state: str) -> None:
    first = console.plan(state, "get", "--id", "C-001").out.split()[2].strip("v:")
    for text in ("x", "y"):
        console.plan(state, "set-constraint", "--constraint", text)
    assert console.plan(state, "remove", "--id", "C-001", "--version", first).status == 0
    error = mismatch(console.plan(state, "remove", "--id", "C-001", "--version", first))
    assert error.current_entity == '"x"'
