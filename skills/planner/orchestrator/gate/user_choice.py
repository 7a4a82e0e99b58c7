"""The user's decision after the last round of a review has failed."""

from collections.abc import Mapping
from typing import Final, Literal

from lib.workflow.arguments.parameter import Value
from lib.workflow.ast.relay import Option, Question
from lib.workflow.core import AskUser, Outcome, RefusedError
from lib.workflow.types import GateStatus

from ...limits import MAX_GRANTS
from ...phases import EXECUTING, PhaseSpec
from ...review.rounds import abort, accept, grant, let_pass
from ...schema.choice import Choice
from ...state.run_state import RunState

FLAGS: Final = {Choice.ACCEPT: "accept_findings", Choice.GRANT: "grant_round", Choice.ABORT: "abort"}
"""The parameter of the gate for each choice."""


def question(state: RunState, row: PhaseSpec, status: GateStatus | None) -> AskUser:
    """Return the question, with a command for each answer that is still possible."""
    kept = "in the ledger; whatever you fix before the commit is not reviewed again"
    if row not in EXECUTING:
        settled = ": the builder settles them, and the review of the code checks that"
        kept = f"in the plan as risks{settled if state.run.is_light else ''}"
    texts = {
        Choice.ACCEPT: f"accept the findings and continue; they are kept {kept}",
        Choice.GRANT: "one more round of fixes and review",
        Choice.ABORT: "end this run",
    }
    left = MAX_GRANTS - state.run.granted(row.phase)
    return asking(
        f"The last round of {row.phase} has failed. How should the run continue?",
        texts,
        left,
        {"qr_status": status} if status else {},
    )


def asking(text: str, texts: Mapping[Choice, str], left: int, values: Mapping[str, Value]) -> AskUser:
    """Return the question, with a command for each choice. One more round is a choice while some can be granted."""
    grants = f"; {left} can be granted"
    offered = [choice for choice in Choice if left or choice is not Choice.GRANT]
    options = [Option(label=each, description=texts[each] + grants * (each is Choice.GRANT)) for each in offered]
    asked = Question(header="Gate", text=text, options=tuple(options))
    return AskUser(asked, *({**values, FLAGS[choice]: True} for choice in offered))


def carry_out(state: RunState, row: PhaseSpec, choice: Choice) -> Literal[Outcome.OK, Outcome.FAIL, Outcome.SKIP]:
    """Record the answer and return its outcome. Raises RefusedError for more rounds than can be granted."""
    if choice is Choice.ABORT:
        abort(state)
        return Outcome.SKIP
    if choice is Choice.ACCEPT:
        accept(state, row)
        let_pass(state, row)
        return Outcome.OK
    if state.run.granted(row.phase) >= MAX_GRANTS:
        what = f"all {MAX_GRANTS} rounds have been granted"
        raise RefusedError("no-round-left", row.phase, what, "Accept the findings, or end the run.")
    grant(state, row)
    return Outcome.FAIL


def on_record(state: RunState, row: PhaseSpec, choice: Choice) -> bool:
    """Return True if the choice was recorded already, so that a repeated command is not a new one."""
    gate = state.run.gate(row.phase)
    return bool(gate and gate.accepted) if choice is Choice.ACCEPT else bool(state.run.granted(row.phase))


def too_early(row: PhaseSpec, choice: Choice) -> RefusedError:
    """Return the refusal of an answer without a question."""
    what = f"--{FLAGS[choice].replace('_', '-')} is for a gate whose last round has failed; this one has rounds left"
    return RefusedError("nothing-to-decide", row.phase, what, "Run the same command without it.")
