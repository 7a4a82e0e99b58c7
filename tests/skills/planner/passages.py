"""Which passage a page shows where the record decides."""

import re

from lib.workflow.ast.nodes import Text
from lib.workflow.ast.parse import parse
from lib.workflow.ast.step import CurrentAction
from lib.workflow.ast.visitor import walk
from lib.workflow.testing.process import Ran
from skills.planner.texts import sections


def shown(ran: Ran, name: str = "gate") -> str:
    """The section of a file whose title is the product that a page names; the page has no other's text."""
    (action,) = (node for node in parse(ran.out).blocks if isinstance(node, CurrentAction))
    product = next(node.value for node in walk(action) if isinstance(node, Text)).splitlines()[0]
    (key,) = (key for key, section in sections(name).items() if _pattern(section.title).match(product))
    return key


def _pattern(title: str) -> "re.Pattern[str]":
    """The sentence that names a product; what fills a slot has no comma."""
    parts = re.split(r"\{\{\w+\}\}", title)
    return re.compile(rf"Leave this step with {'[^,]+'.join(map(re.escape, parts))}\.")
