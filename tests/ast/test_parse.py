"""The parser accepts more than our own pages, and refuses the rest with line, column and path."""

import gc

import pytest

from lib.workflow.ast.nodes import Code, Document, Element, Text
from lib.workflow.ast.parse import Limits, ParseError, parse, parse_page
from lib.workflow.ast.step import Branch, Complete, CurrentAction, Invoke, InvokeAfter, XmlMandate
from lib.workflow.command import Command
from lib.workflow.render.xml import render
from lib.workflow.types import Outcome
from tests.wording import carries

INVOKE = Invoke(Command("a.b", ("--x", "1 2"), ("python3",)))
STEP = '<step_header script="s" step="1" total="2">t</step_header>'


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", ()),
        ("  \n <complete/> \n<!-- a word --> <?x y?>", (Complete(),)),
        ("<complete></complete>", (Complete(),)),
        ("<unknown_tag a='1'/>", (Element("unknown_tag", {"a": "1"}),)),
        ("<current_action>a &lt; b &amp; c&#33;</current_action>", (CurrentAction("a < b & c!"),)),
        (
            "<current_action>one <b>x</b> two</current_action>",
            (CurrentAction(["one ", Element("b", {}, "x"), " two"]),),
        ),
        ("<current_action> <b/> <b/> </current_action>", (CurrentAction([Element("b"), Element("b")]),)),
        ("<current_action>\n    a\n     b\n  c\n    </current_action>", (CurrentAction("a\n b\nc"),)),
        ("<current_action>\na\nb</current_action>", (CurrentAction("\na\nb"),)),
        ("<current_action>\r\na\r\n</current_action>", (CurrentAction("a"),)),
        ("<code/>", (Code(text=""),)),
        ("<code>\n</code>", (Code(text=""),)),
        ("<invoke>\n <cmd>\n  python3 -m a.b --x '1 2'\n </cmd>\n</invoke>", (INVOKE,)),
        ("<invoke cmd='python3 -m a.b --x \"1 2\"'/>", (INVOKE,)),
        (
            "<invoke_after><if outcome='ok' when='w'><invoke cmd='python3 -m a.b --x 1\\ 2'/></if></invoke_after>",
            (InvokeAfter(branches=(Branch(outcome=Outcome.OK, when="w", invoke=INVOKE),)),),
        ),
        ("<xml_format_mandate>other words</xml_format_mandate>", (XmlMandate("other words"),)),
    ],
)
def test_xml_of_other_writers_is_parsed_into_the_same_tree(text: str, blocks: tuple[Element, ...]) -> None:
    assert parse(text) == Document(blocks)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", "1:1: … 'x'"),
        ("<a>\n  <b></a>", "2:8: a/b: <b> … 2:3"),
        ("<a>", "1:4: a: <a> … 1:1"),
        ("<a>&nbsp;</a>", "1:4: a: not well-formed: undefined entity"),
        ("</root><evil/>", "1:8: not well-formed: … document element"),
        ("<complete>x</complete>", "1:1: … 'x'"),
        ("<complete><b/></complete>", "1:11: complete/b: unexpected <b> … nothing"),
        ("<complete x='1'/>", "1:1: … 'x'"),
        (
            STEP.replace("script", "scirpt"),
            "1:1: step_header: … 'scirpt' … 'script'?",
        ),
        (STEP.replace(' total="2"', ""), "1:1: step_header: <step_header>"),
        (STEP.replace('"1"', '"01"'), "1:1: step_header: step='01':"),
        (STEP.replace('"1"', '"١"'), "1:1: step_header: step='١':"),
        (STEP.replace('"1"', f'"{"9" * 5000}"'), "1:1: step_header: step='" + "9" * 59 + ":"),
        (STEP.replace('"1"', '"3"'), "1:1: step_header: StepHeader: … 3 of 2 … 1"),
        (STEP.replace(">t<", "><b/><"), "1:44: step_header/b: unexpected <b>"),
        (
            "<gate_result status='PASS'/>",
            "1:1: gate_result: status='PASS': … 'pass' … fail, pass",
        ),
        ("<invoke cmd='ls'/>", "1:1: invoke: 'ls' … PYTHON -m MODULE"),
        ("<invoke cmd='python3 -m a; ls'/>", "1:1: … ';'"),
        ("<invoke/>", "1:1: invoke: <invoke>"),
        ("<invoke cmd='p -m a'><cmd>p -m a</cmd></invoke>", "1:1: invoke: <invoke>"),
        ("<invoke><cmd>p -m a</cmd><cmd/></invoke>", "1:26: invoke/cmd: duplicate <cmd>"),
        ("<invoke><cmd><b/></cmd></invoke>", "1:14: invoke/cmd/b: <b>"),
        ("<invoke_after/>", "1:1: invoke_after: InvokeAfter:"),
        ("<if_pass outcome='ok'/>", "1:1: if_pass: … 'outcome'"),
        ("<a b='1' b='2'/>", "1:10: not well-formed: duplicate attribute"),
        ("<a:b/>", "1:1: a:b: Element.tag: 'a:b'"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "1:3: not well-formed"),
        ("<?xml version='1.0'?><a/>", "1:1: not well-formed: XML … entity"),
        ("<a>\x00</a>", "1:4: a: not well-formed"),
        ("<a>&#0;</a>", "1:4: a: not well-formed"),
        ("ab\n\ud800", "2:1: U+D800 … XML"),
        ("<a><step_header/></a>", "1:4: a/step_header: <step_header> … no total"),
    ],
)
def test_an_error_says_where_it_is_and_what_is_legal(text: str, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert carries(str(caught.value), message)
    error = caught.value
    assert str(error) == f"{error.line}:{error.column}: {f'{error.path}: ' if error.path else ''}{error.reason}"


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("<a/>" * 4, Limits(elements=3)),
        ("<a>" * 4 + "</a>" * 4, Limits(depth=3)),
        ("<a " + " ".join(f'b{number}="1"' for number in range(4)) + "/>", Limits(attributes=3)),
        ("é" * 10, Limits(size=19)),
        ("e" * 20, Limits(size=19)),
    ],
)
def test_a_limit_is_an_error_and_never_a_shorter_tree(text: str, limits: Limits) -> None:
    with pytest.raises(ParseError, match=r"\b(3|19)\b"):
        parse(text, limits)


def test_a_text_may_hold_what_would_be_markup() -> None:
    assert parse("<a><![CDATA[<b>&x;]]]]><![CDATA[>]]></a>") == Document([Element("a", {}, [Text("<b>&x;]]>")])])


def test_parsing_leaves_no_reference_cycles() -> None:
    text = render(Document([CurrentAction([Text("Do it")]), Complete()]))
    gc.collect()
    gc.disable()
    try:
        parse(text)
        with pytest.raises(ParseError):
            parse(text[:-1])
        assert gc.collect() == 0
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("<currnt_action>x</currnt_action>", (1, 1), "<currnt_action> … <current_action>"),
        ("<current_action>a\n <clam/></current_action>", (2, 2), "<clam> … <claim>"),
        ("<claim><zzz/></claim>", (1, 8), "<zzz> … tags=('zzz',)"),
    ],
)
def test_a_page_with_a_tag_that_nobody_has_declared_is_refused(text: str, place: tuple[int, int], says: str) -> None:
    parse(text)  # which reads any tag
    with pytest.raises(ParseError) as error:
        parse_page(text, tags=("claim",))
    assert (error.value.line, error.value.column) == place
    assert carries(str(error.value), says)


def test_a_page_has_the_tags_of_node_classes_and_those_of_its_workflow() -> None:
    text = f"{STEP}<current_action>a<claim/></current_action><complete/>"
    assert parse_page(text, tags=("claim",)) == parse(text)
