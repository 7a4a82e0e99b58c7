"""All commands on the review of a phase, and who may use each (002, "QR State Mutation")."""

from typing import Final

from lib.workflow.table.rows import Example, On, Table, act
from lib.workflow.types import AgentRole

from ..modules import QR
from ..schema.review import Review
from .review import Opened, assign_group, create, get_item, list_items, opened, summary, update_item

REVIEWER: Final = (AgentRole.QUALITY_REVIEWER,)
READERS: Final = (*REVIEWER, AgentRole.ARCHITECT, AgentRole.DEVELOPER, AgentRole.TECHNICAL_WRITER)
"""Whoever repairs reads the findings."""

ITEMS: Final = """\
[
  {"id": "qa-001", "scope": "*", "check": "Every constraint of the user is met by a milestone", "severity": "MUST"},
  {"id": "qa-002", "scope": "file:src/auth.py", "check": "An expired token is refused"},
  {"id": "qa-003", "scope": "component:auth-flow", "check": "Each decision says what was rejected, and why"}
]"""
FINDING: Final = """\
validate_token() compares the expiry with the local clock,
so a token is good for hours in another time zone."""
REQUESTS: Final = """\
[
  {"command": "update-item", "item": "qa-002", "status": "PASS"},
  {"command": "update-item", "item": "qa-003", "status": "FAIL", "finding": "DL-002 names no alternative"},
  {"command": "summary"}
]"""

_review: Final[On[Opened, Review]] = On(lambda review: review.store)

TABLE: Final = Table(
    module=QR,
    description="Read and change the review of a phase. Nobody edits its file by hand.",
    opens=opened,
    shared=("--state-dir", "state", "--qr-phase", "plan-design"),
    rows=(
        act("create", create, roles=REVIEWER, examples=(Example(("--items-file", "-"), ITEMS),)),
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
                Example(("qa-001", "--status", "PASS")),
                Example(("qa-003", "--status", "FAIL", "--finding", "DL-001 names no alternative")),
                Example(("qa-002", "--status", "FAIL", "--finding-file", "-"), FINDING),
            ),
        ),
        _review.look("get-item", get_item, roles=READERS, examples=(Example(("qa-002",)),)),
        _review.look("list-items", list_items, roles=READERS, examples=(Example(("--status", "FAIL")),)),
        _review.look("summary", summary, roles=READERS, examples=(Example(()),)),
    ),
    batch=(Example((), REQUESTS),),
)
