"""The empty plan of a new run, as its codec would write it, so that the start of a run imports none of its classes."""

import os
from typing import Final

from lib.workflow.codec import text_of
from lib.workflow.state.run_documents import has_document
from lib.workflow.state.store import Store

from .files import PLAN_FILE, remedy

EMPTY_PLAN: Final = """\
{
  "version": 1,
  "overview": {
    "problem": "",
    "approach": ""
  },
  "planning_context": {
    "decisions": [],
    "rejected_alternatives": [],
    "constraints": [],
    "risks": []
  },
  "invisible_knowledge": {
    "system": "",
    "invariants": [],
    "tradeoffs": []
  },
  "diagram_graphs": [],
  "milestones": [],
  "waves": []
}"""


class _AsItStands:
    def loads(self, data: bytes) -> str:
        return text_of(data)

    def dumps(self, value: str) -> str:
        return value


def begin_plan(state_dir: str) -> bool:
    """Write the empty plan if none exists. Returns True if it was written. Raises StateError."""
    path = os.path.join(state_dir, PLAN_FILE)
    if has_document(path):
        return False
    unread: Store[str] = Store(path, _AsItStands(), remedy=remedy())
    return unread.create(EMPTY_PLAN, lambda _: True)
