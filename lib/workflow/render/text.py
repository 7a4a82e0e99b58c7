"""A renderer of trees as plain text, for readers without markup.

The program's own words are in the first column, or behind `=>` among a node's texts. The content of nodes is indented,
and a `=>` at the start of one of its lines is escaped. So no text can imitate a header, a command or the end.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from ..ast.fields import Node, check_depth
from ..ast.nodes import Code, Document, FileContent, Text
from ..ast.step import MANDATE, Complete, CurrentAction, Invoke, InvokeAfter, StepHeader, XmlMandate
from ..ast.visitor import Visitor
from ..util.characters import broken
from .layout import indented
from .outline import Item, Outline, outline, whom, whose

if TYPE_CHECKING:
    from ..ast.dispatch import RosterDispatchNode, SubagentDispatchNode, TemplateDispatchNode
    from ..ast.results import EntityResult, Refusal

SIGN: Final = "=>"
_FORMATS = (*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A))
INVISIBLE: Final = " \t\xa0\xad\u061c\u180e\ufeff" + "".join(map(chr, _FORMATS))
"""Invisible characters that can precede the sign in a line."""
TEXT_MANDATE: Final = """\
1. Do everything in DO and nothing from later steps.
2. Run one command of NEXT as printed (add input only if asked). If there are several, each says when to use it.
3. Go on until a step prints COMPLETE."""
"""The rules of `MANDATE` in the words of this format."""


class TextRenderer(Visitor[str]):
    """Renderer of steps in plain words, and of other classes as a label with their content."""

    def generic(self, node: Node) -> str:
        return self.outlined(outline(node))

    def outlined(self, made: Outline) -> str:
        """Return `<tag name='value'>:` with its items below; the brackets keep tags distinct from our labels."""
        words = [made.tag, *(f"{name}={on_one_line(value)!r}" for name, value in made.attributes)]
        return label(f"<{' '.join(words)}>:", *self.among(made.items))

    def among(self, items: Iterable[Item]) -> list[str]:
        """Render the content of a node: texts as escaped text, everything else behind the sign."""
        return [escaped(item) if isinstance(item, str) else self.one(item) for item in items]

    def one(self, item: Node | Outline) -> str:
        """Render one item: a text as escaped text, an element behind the sign."""
        if isinstance(item, Outline):
            return nested(self.outlined(item))
        return self.visit(item) if isinstance(item, Text) else nested(self.visit(item))

    def document(self, node: Document) -> str:
        return "\n\n".join([self.visit(child) for child in node.blocks])

    def text(self, node: Text) -> str:
        return escaped(node.value)

    def code(self, node: Code) -> str:
        return label(f"code {node.language}:" if node.language else "code:", *said_by(node.text))

    def file_content(self, node: FileContent) -> str:
        return label(f"file {on_one_line(node.path)}:", *said_by(node.text))

    def step_header(self, node: StepHeader) -> str:
        return label(f"STEP {node.step}/{node.total}: {node.title}", escaped(whose(node)))

    def xml_mandate(self, node: XmlMandate) -> str:
        return label("HOW TO READ THIS:", escaped(TEXT_MANDATE if node.text == MANDATE else node.text))

    def current_action(self, node: CurrentAction) -> str:
        return label("DO:", *self.among(node.children))

    def invoke(self, node: Invoke) -> str:
        return f"RUN: {node.command}"

    def invoke_after(self, node: InvokeAfter) -> str:
        if node.invoke is not None:
            return label("NEXT:", str(node.invoke.command))
        return "\n".join([label(f"NEXT, if {way.when}:", str(way.invoke.command)) for way in node.branches])

    def complete(self, node: Complete) -> str:
        return "COMPLETE"

    def subagent_dispatch(self, node: "SubagentDispatchNode") -> str:
        returns = [nested(label("IT RETURNS:", *said)) for said in [said_by(node.returns)] if said]
        return label(
            f"LAUNCH ONE AGENT, {whom(node.agent, node.tier)}:",
            *said_by(node.prompt),
            *self.among((node.invoke,)),
            *returns,
        )

    def template_dispatch(self, node: "TemplateDispatchNode") -> str:
        return self.launched(node.roster(), [target.title for target in node.targets])

    def roster_dispatch(self, node: "RosterDispatchNode") -> str:
        return self.launched(node, [""] * len(node.agents))

    def launched(self, node: "RosterDispatchNode", titles: list[str]) -> str:
        """Return the finished assignments of any kind of dispatch."""
        agents: list[str] = []
        for number, (agent, title) in enumerate(zip(node.agents, titles, strict=True), 1):
            name = "" if agent.id is None else f" {on_one_line(agent.id)!r}"
            said = [*said_by(title), *said_by(agent.prompt), *self.among((agent.invoke,))]
            agents.append(nested(label(f"agent {number}{name}:", *said)))
        who = whom(node.agent, node.tier, node.at_most)
        head = f"LAUNCH {len(agents)} AGENTS AT ONCE, {who}; none of them launches another:"
        returns = [nested(label("EACH RETURNS:", *said)) for said in [said_by(node.returns)] if said]
        return label(head, *agents, *returns)

    def refusal(self, node: "Refusal") -> str:
        what = f"REFUSED {on_one_line(node.target)} ({node.severity}, {node.code}):"
        return f"{label(what, escaped(node.message))}\n{label('INSTEAD:', escaped(node.fix))}"

    def entity_result(self, node: "EntityResult") -> str:
        name = f" as {on_one_line(node.name)}" if node.name else ""
        return f"{node.operation.upper()} {on_one_line(node.id)} v{node.version}{name}"


def render_text(node: Node) -> str:
    """Render the node as plain text."""
    check_depth(node)
    return TextRenderer().visit(node)


def label(words: str, *items: str) -> str:
    """Return a label with its items below, indented."""
    return "\n".join([words, *map(indented, items)])


def nested(shown: str) -> str:
    """Return a node among others, behind the sign; one of several lines gets an end."""
    return f"{SIGN} {shown}\n{SIGN} end" if "\n" in shown else f"{SIGN} {shown}"


def escaped(text: str) -> str:
    """Escape foreign text: normalize its line breaks so that `indented` moves each line, and mark the sign."""
    text = broken(text)
    if SIGN not in text:
        return text
    lines = text.split("\n")
    return "\n".join([_marked(line) for line in lines])


def _marked(line: str) -> str:
    seen = line.lstrip().lstrip(INVISIBLE).lstrip("\\")  # a sign that was escaped already gets one backslash more
    return line.replace(SIGN, f"\\{SIGN}", 1) if seen.startswith(SIGN) else line


def said_by(text: str | None) -> list[str]:
    """Return the text as the one item of a label, or no item without a text."""
    return [escaped(text)] if text else []


def on_one_line(text: str) -> str:
    r"""Return the text with its line breaks shown as `\n`."""
    return r"\n".join(f"{text}.".splitlines())[:-1]
