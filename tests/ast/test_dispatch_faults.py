"""Faults in the XML of a dispatch that the parser refuses, and the schema as far as it can."""

import pytest
from lxml import etree

from lib.workflow.ast.parse import ParseError, parse
from lib.workflow.render.schema import ROOT, schema
from tests.ast.test_dispatch import PARALLEL, ROSTER
from tests.wording import carries

FAULTS = {
    "wrong count": (
        PARALLEL.replace('count="2"', 'count="3"'),
        "1:1: parallel_dispatch: count='3': expected 2",
        False,
    ),
    "missing count": (PARALLEL.replace(' count="2"', ""), "1:1: parallel_dispatch: count='': expected 2", True),
    "padded number": (ROSTER.replace('at_most="2"', 'at_most="02"'), "1:1: parallel_dispatch: at_most='02'", True),
    "typo in a tag": (
        PARALLEL.replace("group ", "gruop ").replace("</group>", "</gruop>"),
        "3:5: parallel_dispatch/groups/gruop: unexpected <gruop>",
        True,
    ),
    "typo in an attribute": (
        ROSTER.replace("tier=", "teir="),
        "1:1: parallel_dispatch: … 'teir'",
        True,
    ),
    "missing attribute": (
        PARALLEL.replace(' id="auth"', ""),
        "3:5: parallel_dispatch/groups/group: <group>",
        True,
    ),
    "stray text": (
        PARALLEL.replace("<groups>", "<groups>now"),
        "2:3: parallel_dispatch/groups: … 'now'",
        True,
    ),
    "repeated id": (
        PARALLEL.replace('"umbrella"', '"auth"'),
        "1:1: parallel_dispatch: … targets: 'auth'",
        False,
    ),
    "both command forms": (
        ROSTER.replace('cmd="p -m a.b"/>', 'cmd="p -m a.b"><cmd>p -m a.b</cmd></invoke>', 1),
        "5:7: parallel_dispatch/agents/agent/invoke: <invoke>",
        False,
    ),
    "no command": (
        ROSTER.replace(' cmd="p -m a.b"', "", 1),
        "5:7: parallel_dispatch/agents/agent/invoke: <invoke>",
        False,
    ),
    "extra attribute": (
        ROSTER.replace("<agents>", "<agents x='1'>"),
        "2:3: parallel_dispatch/agents: … 'x'",
        True,
    ),
    "two templates": (
        PARALLEL.replace("</parallel", '<template><invoke cmd="p -m a"/></template></parallel'),
        "1:1: parallel_dispatch: <parallel_dispatch>",
        True,
    ),
    "nested dispatch": (
        PARALLEL.replace("<template>", "<template><parallel_dispatch/>"),
        "6:13: parallel_dispatch/template/parallel_dispatch: unexpected <parallel_dispatch>",
        True,
    ),
    "unknown role": (
        PARALLEL.replace("quality-reviewer", "Tester 2"),
        "1:1: parallel_dispatch: agent='Tester 2':",
        True,
    ),
    "wrong index": (
        ROSTER.replace('index="2"', 'index="3"'),
        "7:5: parallel_dispatch/agents/agent: index='3': expected 2",
        False,
    ),
    "unknown slot": (
        PARALLEL.replace("$GROUP_ITEMS", "$ITEMS"),
        "1:1: parallel_dispatch: … $ITEMS",
        False,
    ),
    "both forms": (
        PARALLEL.replace("<template>", "<agents/><template>"),
        "6:3: parallel_dispatch/agents: unexpected <agents>",
        True,
    ),
}
"""XML, the start of the parser's error, and True if XML Schema 1.0 can express the fault too."""


@pytest.mark.parametrize("name", FAULTS)
def test_parser_refuses_a_faulty_dispatch_with_its_place(name: str) -> None:
    text, message, _ = FAULTS[name]
    assert text not in (PARALLEL, ROSTER)
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert carries(str(caught.value), message)


@pytest.mark.parametrize("name", FAULTS)
def test_schema_refuses_the_faults_that_it_can_express(name: str) -> None:
    text, _, said = FAULTS[name]
    compiled = etree.XMLSchema(etree.fromstring(schema()))
    assert compiled.validate(etree.fromstring(f"<{ROOT}>{PARALLEL}{ROSTER}</{ROOT}>"))
    assert compiled.validate(etree.fromstring(f"<{ROOT}>{text}</{ROOT}>")) is not said
