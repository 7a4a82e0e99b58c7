"""The context as text: `set-context` and `freeze-context` read the format that `get` shows."""

from pathlib import Path

import pytest

from skills.planner.commands.plan.context_text import read_fields
from skills.planner.reports.plan_markdown import context_markdown
from skills.planner.schema.context import EMPTY_CONTEXT, Context, ContextField
from skills.planner.state.files import context_store, plan_store, run_store
from tests.skills.planner import console
from tests.skills.planner.plans import PLAN
from tests.wording import carries, elided

TEXT = """\
## task_spec
- Sign tokens, it's "simple" & $cheap
- out-of-scope: rate limits
## constraints

- MUST: Python 3.11
  (user-specified)

  since May
- SHOULD: no new dependency
## entry_points
- src/auth.py:login - opens the sessions
## assumptions
"""


def test_each_section_is_a_field_and_each_line_an_entry() -> None:
    assert read_fields(TEXT) == {
        ContextField.TASK_SPEC: ('Sign tokens, it\'s "simple" & $cheap', "out-of-scope: rate limits"),
        ContextField.CONSTRAINTS: (
            "MUST: Python 3.11\n(user-specified)\n\nsince May",
            "SHOULD: no new dependency",
        ),
        ContextField.ENTRY_POINTS: ("src/auth.py:login - opens the sessions",),
        ContextField.ASSUMPTIONS: (),
    }


WRONG: dict[str, tuple[str, str]] = {
    "an unknown field": ("## task-spec\n- x", "line 1: 'task-spec' … 'task_spec'"),
    "a field twice": ("## task_spec\n- x\n## task_spec\n- y", "line 3: … task_spec"),
    "an entry before any section": ("\n- x\n## task_spec", "line 2: '- x'"),
    "a line that is not an entry": ("## task_spec\n- x\n\ny", "line 4: 'y': … `- `"),
    "a line that continues nothing": ("## task_spec\n  x", "line 2: '  x'"),
    "nothing": ("\n\n", "`## task_spec`"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_line_that_does_not_fit_is_named(state: str, name: str) -> None:
    text, says = WRONG[name]
    with pytest.raises(ValueError, match=elided(says)):
        read_fields(text)
    for command in ("set-context", "freeze-context"):
        ran = console.plan(state, command, "--fields-file", "-", given=text)
        assert (ran.status, carries(ran.err, says) or not text.strip()) == (2, True)
        assert context_store(state).find() in (None, EMPTY_CONTEXT)


def test_the_context_is_shown_as_it_is_read(state: str) -> None:
    hostile = ("- a\n- b", "## task_spec", "x\n\n## constraints\n- y", "a\n  b", "&</x>`\n```")
    context = Context(**{name.value: hostile for name in ContextField})
    assert read_fields(context_markdown(context)) == dict.fromkeys(ContextField, hostile)
    console.plan(state, "set-context", "--fields-file", "-", given=context_markdown(context))
    assert context_store(state).load() == context
    assert console.plan(state, "get", "--id", "context").out == f"{context_markdown(context)}\n"


def test_fields_without_a_section_stay(state: str) -> None:
    console.plan(state, "set-context", "user_quotes", "--entry", "x")
    assert console.plan(state, "set-context", "--fields-file", "-", given=TEXT).status == 0
    found = context_store(state).load()
    assert (found.user_quotes, found.assumptions, len(found.constraints)) == (("x",), (), 2)


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("task_spec",),
        ("--entry", "x"),
        ("task_spec", "--entry", "x", "--fields", "## task_spec\n- x"),
        ("task_spec", "--fields", "## task_spec\n- x"),
        ("--entry", "x", "--fields", "## task_spec\n- x"),
    ],
    ids=" ".join,
)
def test_one_field_or_several_are_given(state: str, words: tuple[str, ...]) -> None:
    assert console.plan(state, "set-context", *words).status == 2


def test_entries_from_a_file_are_one_a_line(state: str) -> None:
    given = "it's one\n- two\n  goes on\n\nthree\n"
    assert console.plan(state, "set-context", "user_quotes", "--entry-file", "-", given=given).status == 0
    assert context_store(state).load().user_quotes == ("it's one", "two\ngoes on", "three")


def test_one_command_writes_the_context_and_freezes_it(state: str) -> None:
    first = console.plan(state, "freeze-context", "--fields-file", "-", given=TEXT)
    assert first.status == 0
    assert run_store(state).load().context_digest is not None
    assert console.plan(state, "freeze-context", "--fields-file", "-", given=TEXT) == first, "the same again"
    other = TEXT.replace("Sign", "Forge")
    assert console.plan(state, "freeze-context", "--fields-file", "-", given=other).refusal.code == "frozen"


def test_a_context_that_is_not_ready_is_kept_and_not_frozen(state: str) -> None:
    ran = console.plan(state, "freeze-context", "--fields-file", "-", given="## task_spec\n- Sign tokens")
    assert ran.refusal.code == "incomplete-context"
    assert context_store(state).load().task_spec == ("Sign tokens",)
    assert run_store(state).load().context_digest is None


def test_freezing_adds_the_constraints_to_the_plan_once(state: str) -> None:
    text = TEXT.replace("since May\n", "since May\n- MUST: Python 3.11\n")
    assert console.plan(state, "freeze-context", "--fields-file", "-", given=text).status == 0
    long = "MUST: Python 3.11\n(user-specified)\n\nsince May"
    constraints = ("MUST: Python 3.11", long, "SHOULD: no new dependency")
    assert plan_store(state).load().planning_context.constraints == constraints
    version = console.plan(state, "get", "--id", "C-003").out.split()[2].strip("v:")
    assert console.plan(state, "remove", "--id", "C-003", "--version", version).status == 0
    assert console.plan(state, "freeze-context").status == 0
    assert plan_store(state).load().planning_context.constraints == constraints[:2], (
        "what the architect removed stays out"
    )


def test_freezing_without_constraints_leaves_the_plan_unchanged(state: str) -> None:
    constraints = "## constraints\n- none\n"
    text = TEXT[: TEXT.index("## constraints")] + constraints + TEXT[TEXT.index("## entry_points") :]
    assert console.plan(state, "freeze-context", "--fields-file", "-", given=text).status == 0
    assert plan_store(state).load() == PLAN


def test_a_context_that_was_never_written_cannot_be_shown(state: str, tmp_path: Path) -> None:
    assert console.plan(state, "get", "--id", "context").refusal.code == "missing-state"
    assert not Path(state, "context.json").exists()
