"""Law 3: no string adds, closes or changes an element, a command's argument or a block, in any form."""

import re
from collections.abc import Callable, Iterator

from attrs import fields
from hypothesis import given, settings
from lxml import etree

from lib.workflow.ast.declare import Kind, Node, declaration
from lib.workflow.ast.nodes import Document, Element, Text
from lib.workflow.ast.step import Invoke
from lib.workflow.ast.visitor import transform
from lib.workflow.command import Command
from lib.workflow.render.text import SIGN, render_text
from lib.workflow.render.xml import render
from lib.workflow.shell import split
from tests.laws.test_1_round_trip import SETTINGS
from tests.trees import COMMANDS, DOCUMENTS


def of_nodes(node: Node) -> Iterator[str]:
    """The tags that the nodes call for, in order."""
    if not isinstance(node, (Text, Document)):
        yield tag_of(node)
    for part in declaration(type(node)).body:
        if part.kind is Kind.ELEMENT and getattr(node, part.name) is not None:
            yield part.name
        elif part.kind is Kind.COMMAND and not render(node).startswith("<invoke cmd="):
            yield "cmd"
        elif part.kind not in (Kind.ELEMENT, Kind.COMMAND, Kind.TEXT):
            below = getattr(node, part.name)
            for child in below if isinstance(below, tuple) else [below] if below else []:
                yield from of_nodes(child)


def tag_of(node: Node) -> str:
    for tag, (name, value) in node.shorthand.items():
        if getattr(node, name) == value:
            return tag
    return node.tag


def plain(node: Node) -> tuple[Node, ...]:
    """The node with every string of it replaced by a harmless one."""
    changes: dict[str, object] = {
        field.name: "x"
        for field in fields(type(node))
        if field.name != "tag" and isinstance(getattr(node, field.name), str) and field.type in (str, str | None)
    }
    if isinstance(node, Element):
        changes["attributes"] = [(name, "x") for name, _ in node.attributes]
    if isinstance(node, Invoke):
        changes["command"] = Command("x", launcher=("x",))
    build: Callable[..., Node] = type(node)
    return (build(**{field.name: changes.get(field.name, getattr(node, field.name)) for field in fields(type(node))}),)


def shape(text: str) -> list[str]:
    """What the program itself says: the first word of each line in the first column, the sign and a word elsewhere."""
    said = re.findall(rf"^(?:[^ \n]+| *{SIGN} [^ \n]+)", "\n".join(text.splitlines()), re.MULTILINE)
    return [words.rstrip(":") for words in said]


@settings(SETTINGS, max_examples=2000)
@given(DOCUMENTS)
def test_the_elements_of_a_print_are_those_of_the_tree(document: Document) -> None:
    root = etree.fromstring(f"<all>{render(document)}</all>")
    assert [element.tag for element in root.iter()][1:] == list(of_nodes(document))


@settings(SETTINGS, max_examples=2000)
@given(DOCUMENTS)
def test_a_text_says_what_the_same_tree_says_with_harmless_strings(document: Document) -> None:
    (harmless,) = transform(document, plain)
    assert shape(render_text(document)) == shape(render_text(harmless))


@settings(SETTINGS, max_examples=1000)
@given(COMMANDS)
def test_a_word_stays_one_word_of_its_command(command: Command) -> None:
    assert split(str(command)) == (*command.launcher, "-m", command.module, *command.words)
    assert Command.read(str(command)) == command
