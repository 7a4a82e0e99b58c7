"""The difference between two hand-ins of a phase as compact Markdown, for the review of a further round."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from attrs import fields, has

from lib.workflow.render.writer import bullet
from lib.workflow.util.characters import broken

from ..execution.project_files import contents
from ..execution.snapshots import kept_file, kept_marks, kept_plan
from ..phases import EXECUTING, PLAN_DOCS, PLANNING, PhaseSpec
from ..schema.ids import EntityKind, kind_of
from ..schema.plan.entities import entities
from ..schema.plan.milestone import Milestone
from ..schema.review.document import DIFFERENCE, ReviewItem
from ..state.files import DIFFERENCE_FILE, write_text

if TYPE_CHECKING:
    from ..schema.plan.document import Plan
    from ..schema.run import Run
    from ..state.run_state import RunState

ITEM: Final = "change-"
"""The prefix of these items' ids; the number of the round follows."""
UNCHANGED: Final = "Nothing was changed."
CONTEXT: Final = 2
"""Lines that are shown around a change."""


class Part(NamedTuple):
    """An entity of the plan, or a file, that differs."""

    name: str
    how: str
    """`changed`, `new`, `removed`; for a file also `unread`, if it is not text."""
    diff: str
    """Lines that begin with a blank, `-` or `+`; a line `@@` names the field, or the place."""

    @property
    def markdown(self) -> str:
        """Return a heading, and the lines in a fence that is longer than any inside them."""
        if not self.diff:
            return f"### {self.name}: {self.how}"
        fence = "```"
        while fence in self.diff:
            fence += "`"
        return f"### {self.name}: {self.how}\n\n{fence}diff\n{self.diff}\n{fence}"


def item(iteration: int) -> ReviewItem:
    """Return the item that a gate adds for a further round, or a lap; for round 1, about the earlier phases' work."""
    since = (
        f"between the hand-ins of rounds {iteration - 1} and {iteration}" if iteration > 1 else "since the last gate"
    )
    holds = "breaks no promise, result or check of the project, and each change has a reason"
    check = f"Read as a whole, the difference {since} {holds}"
    return ReviewItem(id=f"{ITEM}{iteration}", scope="*", check=check, category=DIFFERENCE)


def round_of_item(item_id: str) -> int | None:
    """Return the round whose difference an item is about; None for an item that no gate has added."""
    number = item_id.removeprefix(ITEM)
    return int(number) if number != item_id and number.isascii() and number.isdecimal() else None


def since_last_round(state: "RunState", row: PhaseSpec, *, only: str | None = None) -> str:
    """Return all changes since the hand-in of the last round, as Markdown.

    Args:
        state: The run.
        row: The phase.
        only: The entity or file to show; all if None.
    """
    return since_round(state, row, state.round(row.phase) - 1, only=only)


def since_round(state: "RunState", row: PhaseSpec, iteration: int, *, only: str | None = None) -> str:
    """Return the changes as `since_last_round`, from an earlier round on; 0 means the work passed before the phase."""
    shown = (part.markdown for part in parts(state, row, iteration) if only in (None, part.name))
    return "\n\n".join(shown) or UNCHANGED


def write_difference(state: "RunState", row: PhaseSpec, iteration: int) -> None:
    """Write the earlier findings and the changes for the reviewers of a round, if it has any. Raises RefusedError."""
    if iteration > 1 or reaches_back(state, row):
        changes = since_round(state, row, iteration - 1)
        write_text(state.state_dir, DIFFERENCE_FILE, "\n".join([*_findings(state, row), "## difference", "", changes]))


def _findings(state: "RunState", row: PhaseSpec) -> Iterator[str]:
    """Yield the findings of earlier rounds that are not settled, as Markdown."""
    review = state.review(row.phase)
    found = [item for item in review.items if item.finding is not None] if review else []
    if found:
        yield "## earlier findings"
        yield from (bullet(broken(f"{item.id}: {item.finding}")) for item in found)


def parts(state: "RunState", row: PhaseSpec, iteration: int) -> Iterator[Part]:
    """Yield the differences between the hand-in of a round and the latest one, or the current work between rounds."""
    run = state.run
    before = handed_in_before(run, row, iteration + 1)
    now = run.handed_in(row.phase, state.round(row.phase))
    if row in EXECUTING:
        yield from _files(state, before, now)
        return
    old = kept_plan(state.state_dir, before)
    if old is None:
        return
    for part in entity_parts(old, kept_plan(state.state_dir, now) or state.plan):
        if iteration or not _is_own(row, part):
            yield part


def handed_in_before(run: "Run", row: PhaseSpec, iteration: int) -> str | None:
    """Return the digest that a hand-in is compared with: the hand-in of the round before.

    For the first round of a phase of planning, it is the plan that the phase before has passed; for that of a lap, the
    last hand-in of the lap before.
    """
    if iteration > 1:
        return run.handed_in(row.phase, iteration - 1)
    phase, wave, lap = run.at(row.phase)
    if phase in run.planning:
        earlier = (run.gate(each) for each in reversed(run.planning[: run.planning.index(phase)]))
        return next((gate.plan_digest for gate in earlier if gate), None)
    before = (each.digest for each in reversed(run.submissions) if each.at[1:] == (wave, lap - 1))
    return next(before, None) if lap > 1 else None


def reaches_back(state: "RunState", row: PhaseSpec) -> bool:
    """Return True if the first hand-in of a phase of planning changes the result of earlier phases."""
    return row in PLANNING and next(parts(state, row, 0), None) is not None


def _is_own(row: PhaseSpec, part: Part) -> bool:
    """Return True if the part is a later phase's own work: changes, and drawings of diagrams."""
    fields_ = [line.removeprefix("@@ ") for line in part.diff.splitlines() if line.startswith("@@ ")]
    return kind_of(part.name) is EntityKind.CHANGE or (row is PLAN_DOCS and fields_ == ["ascii_render"])


def entity_parts(old: "Plan", new: "Plan") -> Iterator[Part]:
    """Yield the entities that differ between two plans, in the order of the plan."""
    before, after = _entities(old), _entities(new)
    for name in dict.fromkeys((*before, *after)):
        if before.get(name) != after.get(name):
            how = "changed" if name in before and name in after else "new" if name in after else "removed"
            yield Part(name, how, "\n".join(_changes(before.get(name, {}), after.get(name, {}))))


def _files(state: "RunState", before: str | None, now: str | None) -> Iterator[Part]:
    from ..execution.differences import How, difference

    old = kept_marks(state.state_dir, before)
    new = kept_marks(state.state_dir, now)
    if before is None or old is None:
        return
    found = {} if new is not None else contents(state, old)
    marks = new if new is not None else {name: held.mark for name, held in found.items()}
    for name in sorted({*old, *marks}):
        if old.get(name) == marks.get(name):
            continue
        after = kept_file(state.state_dir, now, name) if now is not None and new is not None else found[name].data
        change = difference(name, kept_file(state.state_dir, before, name), after)
        how = {How.GONE: "removed", How.SAME: "changed"}.get(change.how, str(change.how))
        yield Part(name, how, change.diff)


def _entities(plan: "Plan") -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the fields of each part of a plan, as lines, by its id."""
    found = {
        "overview": _fields(plan.overview),
        "knowledge": _fields(plan.invisible_knowledge),
        "constraints": {"constraints": _lines(plan.planning_context.constraints)},
    }
    for kind in EntityKind:
        found |= {entity.id: _fields(entity) for entity in entities(plan, kind)}
    return found


def _fields(value: object) -> Mapping[str, tuple[str, ...]]:
    """Return the fields of an entity without its version, and without the entities that it contains."""
    own: Any = type(value)
    names = [each.name for each in fields(own) if each.name not in ("id", "version")]
    if isinstance(value, Milestone):
        names = [name for name in names if name not in ("code_intents", "code_changes")]
    return {name: _lines(getattr(value, name)) for name in names}


def _lines(value: object) -> tuple[str, ...]:
    if value is None or value == "":
        return ()
    if isinstance(value, tuple):
        return tuple(line for each in value for line in _lines(each))
    if has(type(value)):
        fields = ((name, " ".join(lines)) for name, lines in _fields_of_part(value).items() if lines)
        return (", ".join(f"{name} {text}" for name, text in fields),)
    if isinstance(value, bool):
        return ("yes" if value else "no",)
    return tuple(str(value).splitlines())


def _fields_of_part(value: object) -> Mapping[str, tuple[str, ...]]:
    """Return the fields of a node or an edge, including its id."""
    own: Any = type(value)
    return {each.name: _lines(getattr(value, each.name)) for each in fields(own)}


def _changes(before: Mapping[str, tuple[str, ...]], after: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of the fields that differ, each field after a line with its name."""
    from difflib import unified_diff  # only a page that shows a difference pays for this import

    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name, ()), after.get(name, ())
        if old != new:
            hunks = list(unified_diff(old, new, n=CONTEXT, lineterm=""))[2:]
            yield f"@@ {name}"
            yield from (line for line in hunks if not line.startswith("@@"))
