"""Nodes refuse invalid values and make valid ones canonical."""

import copy
import gc
import importlib
import pickle
import pkgutil
import time
from collections.abc import Callable

import pytest

from lib.workflow import ast
from lib.workflow.ast import catalogue, nodes
from lib.workflow.ast.dispatch import SubagentDispatchNode
from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import MAX_DEPTH, RESERVED, Code, Document, Element, FileContent, Text
from lib.workflow.ast.results import Refusal
from lib.workflow.ast.step import Branch, Complete, CurrentAction, GateResult, Invoke, InvokeAfter, StepHeader
from lib.workflow.command import Command
from lib.workflow.types import AgentRole, GateStatus, Outcome
from tests.wording import carries

COMMAND = Command("a.b", ("--step", "1"), ("python3",))
INVOKE = Invoke(COMMAND)


def made(cls: Callable[..., Node], *values: object, **named: object) -> Node:
    """Return a node of values that its types do not allow."""
    return cls(*values, **named)


def header(**changed: object) -> Node:
    return made(StepHeader, **{"script": "s", "step": 1, "total": 2, "title": "t"} | changed)


def branch(outcome: Outcome = Outcome.OK, when: str = "it holds") -> Branch:
    return Branch(outcome=outcome, when=when, invoke=INVOKE)


def test_neighbouring_texts_are_one_and_an_empty_one_is_a_blank_line() -> None:
    assert CurrentAction(["a", "", "b"]).children == (Text("a\n\nb"),)
    assert CurrentAction(["a", Element("x"), "b"]).children == (Text("a"), Element("x"), Text("b"))
    assert CurrentAction("abc").children == (Text("abc"),)


def test_line_ends_become_newlines_when_a_node_is_built() -> None:
    assert Text("a\r\nb\rc") == Text("a\nb\nc")
    assert Code(text="\r").text == "\n"


def test_an_attribute_of_none_is_left_out_and_any_name_can_be_one() -> None:
    element = Element("x", {"tag": "a", "children": "b", "none": None})
    assert element.attributes == (("tag", "a"), ("children", "b"))


def test_nodes_are_hashable_immutable_and_equal_by_value() -> None:
    element = Element("x", {"a": "b"}, [Element("y")])
    assert hash(element) == hash(Element("x", (("a", "b"),), (Element("y"),)))
    assert element != Element("x", {"a": "b"}, [Element("z")])
    assert element != "x"
    assert Text("a") != Code(text="a")
    with pytest.raises(AttributeError):
        element.tag = "other"  # type: ignore[misc]  # what the test is about
    assert copy.deepcopy(element) == element
    assert pickle.loads(pickle.dumps(element)) == element
    assert repr(INVOKE).startswith("Invoke(command=Command(")


def test_two_documents_share_no_children() -> None:
    shared = ["a"]
    first = Element("x", {}, shared)
    shared.append("b")
    assert Element("x", {}, shared) != first


@pytest.mark.parametrize(
    ("build", "error", "says"),
    [
        (lambda: made(Text, None), TypeError, "Text.value: … str, got NoneType"),
        (lambda: header(step="1"), TypeError, "StepHeader.step: … int, got str"),
        (lambda: header(step=True), TypeError, "StepHeader.step: … int, got bool"),
        (lambda: header(title=7), TypeError, "StepHeader.title: … str, got int"),
        (lambda: header(step=0), ValueError, "0 of 2"),
        (lambda: header(step=3), ValueError, "3 of 2"),
        (lambda: header(title="a\nb"), ValueError, "StepHeader.title: U+000A … 1"),
        (lambda: header(title="a\u2028b"), ValueError, "U+2028"),
        (lambda: header(title="a\n"), ValueError, "U+000A"),
        (lambda: header(title=" "), ValueError, "StepHeader.title:"),
        (lambda: header(phase=""), ValueError, "StepHeader.phase:"),
        (lambda: made(Invoke, "python3 -m a"), TypeError, "Invoke.command: … Command, got str"),
        (lambda: branch(Outcome.DEFAULT), ValueError, "DEFAULT … `next`"),
        (lambda: branch(when=""), ValueError, "Branch.when:"),
        (lambda: InvokeAfter(), ValueError, "InvokeAfter:"),
        (lambda: InvokeAfter(invoke=INVOKE, branches=(branch(),)), ValueError, "InvokeAfter:"),
        (lambda: InvokeAfter(branches=(branch(), branch())), ValueError, "InvokeAfter:"),
        (lambda: made(InvokeAfter, branches=(INVOKE,)), TypeError, "InvokeAfter.branches: … Branch, got Invoke"),
        (lambda: made(GateResult, "pass"), TypeError, "expected GateStatus"),
        (lambda: made(SubagentDispatchNode, agent="tester", invoke=INVOKE), TypeError, "expected AgentRole"),
        (lambda: Element("a b>"), ValueError, "Element.tag: 'a b>'"),
        (lambda: Element("a\n"), ValueError, "Element.tag:"),
        (lambda: Element(""), ValueError, "Element.tag: ''"),
        (lambda: Element("invoke_after"), ValueError, "Element.tag: 'invoke_after'"),
        (lambda: Element("a", {"x y": "1"}), ValueError, "'x y'"),
        (lambda: Element("a", {"k\n": "1"}), ValueError, "Element.attributes:"),
        (lambda: Element("a", {"xmlns": "1"}), ValueError, "'xmlns'"),
        (lambda: Element("a", [("x", "1"), ("x", "2")]), ValueError, "Element.attributes:"),
        (lambda: made(Element, "a", {"x": 1}), TypeError, "str(…)"),
        (lambda: made(Element, "a", {}, [None]), TypeError, "expected content, got NoneType None"),
        (lambda: Element("a", {}, [Document([])]), TypeError, "expected content, got Document Document(blocks=())"),
        (lambda: Document([Text("a")]), TypeError, "Text(value='a')"),
        (lambda: made(Document, ["a"]), TypeError, "'a'"),
        (lambda: FileContent(path="x", text="\x00"), ValueError, "FileContent.text: U+0000 … 0"),
        (lambda: Refusal(code="", target="", message="", fix=""), ValueError, "Refusal.code:"),
    ],
)
def test_node_refuses_invalid_values(build: Callable[[], Node], error: type[Exception], says: str) -> None:
    with pytest.raises(error) as caught:
        build()
    assert carries(str(caught.value), says)


def test_prompt_of_a_dispatch_is_optional() -> None:
    assert SubagentDispatchNode(agent=AgentRole.DEVELOPER, invoke=INVOKE).prompt is None


def nested(levels: int) -> Element:
    element = Element("x", {}, "deep")
    for _ in range(levels - 1):
        element = Element("x", {}, [element])
    return element


def test_a_document_has_a_stated_depth_and_an_error_beyond_it() -> None:
    assert Document([nested(MAX_DEPTH)]).blocks
    for levels in (MAX_DEPTH + 1, 100_000):
        with pytest.raises(ValueError, match="64"):
            Document([nested(levels)])


def test_a_document_has_a_stated_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "MAX_NODES", 3)
    assert Document([Complete()] * 3).blocks
    with pytest.raises(ValueError, match=r"\b3\b"):
        Document([Complete()] * 4)


def test_the_reserved_tags_are_those_of_the_classes() -> None:
    assert catalogue.BY_TAG.keys() == RESERVED, "run `make docs`"


def test_every_class_of_every_family_is_in_the_catalogue() -> None:
    def below(cls: type[Node]) -> set[type[Node]]:
        return {cls}.union(*(below(inner) for inner in cls.__subclasses__()))

    for module in pkgutil.iter_modules(ast.__path__, f"{ast.__name__}."):
        importlib.import_module(module.name)
    gc.collect()
    ours = {cls for cls in below(Node) if cls.__module__.startswith("lib.")}
    assert ours == {Node, Text, Element, Document, *catalogue.CLASSES}


def test_many_lines_are_joined_into_one_text_in_time() -> None:
    begun = time.process_time()
    (text,) = CurrentAction(["x"] * 100_000).children
    assert time.process_time() - begun < 2
    assert text == Text("\n".join(["x"] * 100_000))


def test_gate_statuses_are_those_of_the_specification() -> None:
    assert GateResult(GateStatus.PASS).status == "pass"
