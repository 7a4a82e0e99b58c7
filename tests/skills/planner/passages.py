"""The passage that a page shows, depending on the state."""

from lib.workflow.ast.nodes import Text
from lib.workflow.ast.parse import parse
from lib.workflow.ast.step import CurrentAction
from lib.workflow.ast.visitor import walk
from lib.workflow.testing.process import Ran
from skills.planner.texts import sections


def shown(ran: Ran, name: str = "gate") -> str:
    """Return the one section of a file whose text a page has, by its longest line without a slot."""
    (action,) = (node for node in parse(ran.out).blocks if isinstance(node, CurrentAction))
    page = "\n".join(node.value for node in walk(action) if isinstance(node, Text))
    (key,) = (key for key, section in sections(name).items() if _mark(section.text) in page)
    return key


def _mark(text: str) -> str:
    plain = [line for line in text.splitlines() if "{{" not in line]
    return max(plain, key=len) if any(plain) else text.partition("{{")[0]
