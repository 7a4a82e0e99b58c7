"""Commands of the planner run in this process, as their scripts run them."""

from collections.abc import Mapping
from typing import NamedTuple
from unittest.mock import patch

from lib.workflow.ast.fields import Node
from lib.workflow.ast.parse import parse
from lib.workflow.ast.results import EntityResult, Refusal
from lib.workflow.ast.visitor import walk
from skills.planner.commands.plan_table import TABLE
from tests.tables.found import Found, ask

PLAN_HOME = "skills.planner.commands.plan_table"


class Ran(NamedTuple):
    """The output of a command."""

    status: int
    out: str
    err: str

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Return all nodes on standard output."""
        return tuple(walk(parse(self.out)))

    @property
    def result(self) -> EntityResult:
        """Return the entity that was changed."""
        return next(node for node in self.nodes if isinstance(node, EntityResult))

    @property
    def refusal(self) -> Refusal:
        """Return the refusal."""
        return next(node for node in self.nodes if isinstance(node, Refusal))


def plan(state_dir: object, *words: str, given: str = "", environment: Mapping[str, str] | None = None) -> Ran:
    """Run `cli.plan --state-dir DIR WORD…`, with that on standard input."""
    with patch.dict("os.environ", environment or {}):
        return Ran(*ask(Found(PLAN_HOME, TABLE), ["--state-dir", str(state_dir), *words], given))
