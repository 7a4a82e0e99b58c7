"""The command that hands the work of a phase in for review."""

from typing import Annotated

from lib.workflow.ast.fields import Node
from lib.workflow.cli.table.arguments import Flag
from lib.workflow.cli.table.requests import RequestError

from .ledger import Which


def _item(value: str) -> None:
    """Raise ValueError for an invalid item id."""
    from ..schema.review.document import check_id  # the commands on the plan do not pay for its classes

    check_id(value)


def submit(
    state_dir: str,
    phase: Which,
    milestone: Annotated[str | None, Flag(description="the milestone that was built, if the wave has several")] = None,
    contests: Annotated[
        tuple[str, ...], Flag(each="contest", rule=_item, description="a failed item whose finding is wrong")
    ] = (),
    cases: Annotated[
        tuple[str, ...],
        Flag(each="case", long=True, description="the evidence that the finding is wrong; one for each contest"),
    ] = (),
) -> Node:
    """Hand the work of a phase in for review.

    A snapshot of the work is kept, and the gate passes exactly that. An invalid plan is refused. So is a fix that
    changes nothing, unless it contests every finding.
    """
    if len(contests) != len(cases) or len(set(contests)) < len(contests):
        raise RequestError("{contests} and {cases}: give one case for each contested item, in the same order")
    from .submission import hand_in  # the other commands on the plan do not pay for it

    return hand_in(state_dir, phase, milestone, dict(zip(contests, cases, strict=True)))
