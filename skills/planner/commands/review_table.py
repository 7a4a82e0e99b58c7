"""Table of all commands on the review of a phase, with the roles that may use each."""

from typing import Final

from lib.workflow.cli.table.rows import Example, On, Table, act
from lib.workflow.types import AgentRole

from ..modules import QR
from ..schema.review.document import Review
from .record import record
from .review import Opened, assign_group, create, opened, update_item
from .review_reading import get_item, list_items, summary

REVIEWER: Final = (AgentRole.QUALITY_REVIEWER,)
READERS: Final = (*REVIEWER, AgentRole.ARCHITECT, AgentRole.DEVELOPER, AgentRole.TECHNICAL_WRITER)
"""The roles that read findings, including those that fix them."""

ITEMS: Final = """\
[
  {"id": "qa-001", "scope": "*", "check": "Every constraint is met by a milestone", "severity": "MUST", "group": "all"},
  {"id": "qa-002", "scope": "file:src/auth.py", "check": "An expired token is refused", "group": "auth"},
  {"id": "qa-003", "scope": "component:auth-flow", "check": "Each token names its key", "group": "auth"},
  {"id": "qa-004", "scope": "M-001", "check": "The 11th request of a second is refused"},
  {"id": "qa-005", "scope": "M-001", "check": "Each decision says what was rejected, and why"}
]"""
VERDICTS: Final = """\
[
  {"id": "qa-001", "status": "PASS", "evidence": "C-001 in M-001.requirements"},
  {"id": "qa-002", "status": "FAIL", "finding": "src/auth.py:12 compares local time: in UTC+2 it lives on"},
  {"id": "new-1", "status": "FAIL", "scope": "M-001", "check": "A key can be replaced", "finding": "M-001 names no way"}
]"""
FINDING: Final = """\
validate_token() compares the expiry with the local clock,
so a token is good for hours in another time zone."""
REQUESTS: Final = """\
[
  {"command": "update-item", "item": "qa-004", "status": "PASS"},
  {"command": "assign-group", "group": "keys", "items": ["qa-006"]},
  {"command": "summary"}
]"""

_review: Final[On[Opened, Review]] = On(lambda review: review.store)

TABLE: Final = Table(
    module=QR,
    word="review",
    takes={"state_dir": "the last active run of this project"},
    description="Read and change the review of a phase. Nobody edits its file by hand.",
    opens=opened,
    shared=("--state-dir", "state", "--qr-phase", "plan-design"),
    rows=(
        act("create", create, roles=REVIEWER, examples=(Example(("--items-file", "-"), ITEMS),)),
        _review.change("record", record, roles=REVIEWER, examples=(Example((), VERDICTS),)),
        _review.change(
            "assign-group",
            assign_group,
            roles=REVIEWER,
            examples=(Example(("auth", "--item", "qa-002", "--item", "qa-003")),),
        ),
        _review.change(
            "update-item",
            update_item,
            roles=REVIEWER,
            examples=(
                Example(("qa-005", "--status", "PASS")),
                Example(("qa-003", "--status", "FAIL", "--finding-file", "-"), FINDING),
            ),
        ),
        _review.look("get-item", get_item, roles=READERS, examples=(Example(("qa-002",)),)),
        _review.look("list-items", list_items, roles=READERS, examples=(Example(("--status", "FAIL")),)),
        _review.look("summary", summary, roles=READERS, examples=(Example(()),)),
    ),
    batch=(Example((), REQUESTS),),
)
