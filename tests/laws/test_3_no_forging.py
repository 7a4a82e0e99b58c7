"""Law 3: no string adds, closes or changes an element, a command's argument or a block, in any format."""

import itertools
import re
from collections.abc import Callable, Iterator
from enum import Enum

from attrs import fields
from hypothesis import given
from lxml import etree

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Document, Element, Text
from lib.workflow.ast.visitor import transform
from lib.workflow.command import Command
from lib.workflow.command.quoting import Slot, split
from lib.workflow.command.template import CommandTemplate
from lib.workflow.render.markdown import render_markdown
from lib.workflow.render.outline import Item, Outline, outline
from lib.workflow.render.text import SIGN, render_text
from lib.workflow.render.xml import render
from tests.trees import COMMANDS, DOCUMENTS, examples


def of_outline(item: Item) -> Iterator[str]:
    """Yield the tags that a tree requires, in order."""
    if isinstance(item, (str, Text)):
        return
    if isinstance(item, Node):
        item = Outline(item.tag, (), item.children) if isinstance(item, Element) else outline(item)
    yield item.tag
    for inner in item.items:
        yield from of_outline(inner)


def plain(node: Node) -> tuple[Node, ...]:
    """Return the node with every string replaced by a harmless one; each by another, if they must differ."""
    changes = {field.name: harmless(field.name, getattr(node, field.name)) for field in fields(type(node))}
    if isinstance(node, Element):
        changes["tag"] = "y"
    build: Callable[..., Node] = type(node)
    return (build(**changes),)


def harmless(name: str, value: object) -> object:
    if isinstance(value, (Enum, int, Node)) or value is None or name == "tag":
        return value
    if isinstance(value, str):
        return value and f"x{next(NUMBERS)}"
    if isinstance(value, Command):
        return Command("x", launcher=("x",))
    if isinstance(value, CommandTemplate):
        return CommandTemplate("x", [word for word in value.words if isinstance(word, Slot)], ("x",))
    assert isinstance(value, tuple)
    if name in ("attributes", "values"):
        return tuple((key, "x") for key, _ in value)
    return tuple(item if isinstance(item, Node) else "x" for item in value)


NUMBERS = itertools.count()
LABELS = ("##", "###", "If", "file", "Launch")
"""The starts of the program's own Markdown lines, except those that name an element."""


def shape(text: str) -> list[str]:
    """Return the program's own words: the first word of each line in the first column, then sign and word elsewhere."""
    said = re.findall(rf"^(?:[^ \n]+| *{SIGN} [^ \n]+)", "\n".join(text.splitlines()), re.MULTILINE)
    return ["<" if words.startswith("<") else re.sub("=> <.*", "=> <", words.rstrip(":")) for words in said]


@examples(500)
@given(DOCUMENTS)
def test_printed_elements_are_those_of_the_tree(document: Document) -> None:
    root = etree.fromstring(f"<all>{render(document)}</all>")
    assert [element.tag for element in root.iter()][1:] == [
        tag for block in document.blocks for tag in of_outline(block)
    ]


@examples(500)
@given(DOCUMENTS)
def test_a_text_says_what_the_same_tree_says_with_harmless_strings(document: Document) -> None:
    (harmless,) = transform(document, plain)
    assert shape(render_text(document)) == shape(render_text(harmless))


def shape_of_markdown(text: str) -> list[str]:
    """Return the first word of every line outside of quotes and fences, and the fences themselves."""
    said: list[str] = []
    fence = ""
    for line in "\n".join(text.splitlines()).split("\n"):
        ticks = re.match("`{3,}", line)
        if fence:
            fence = "" if line == fence else fence
        elif ticks:
            fence = ticks[0]
            said += [] if line.endswith("`text") else ["```"]  # a text that could pass for HTML is quoted so
        elif line and not line.startswith(">"):
            word = line.translate(dict.fromkeys(map(ord, "`*:"), " ")).split()[0]
            said.append(word if word in LABELS else "<")
    return said


@examples(250)
@given(DOCUMENTS)
def test_markdown_says_what_the_same_tree_says_with_harmless_strings(document: Document) -> None:
    (other,) = transform(document, plain)
    assert shape_of_markdown(render_markdown(document)) == shape_of_markdown(render_markdown(other))


@examples(250)
@given(COMMANDS)
def test_a_word_stays_one_word_of_its_command(command: Command) -> None:
    assert split(str(command)) == (*command.launcher, "-m", command.module, *command.words)
    assert Command.read(str(command)) == command
