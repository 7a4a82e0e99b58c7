"""Documents for people, read back by a parser of Markdown."""

from markdown_it import MarkdownIt

from lib.workflow.ast import prose
from lib.workflow.ast.nodes import Element, Text
from lib.workflow.render.prose import render_prose


def test_item_of_a_list_holds_its_paragraphs_and_a_list_that_closes_up() -> None:
    inner = Element(prose.BULLETS, {}, [Text("third")])
    item = Element("item", {}, [Text("first"), Element(prose.LABELLED, {"label": "Why"}, [Text("second")]), inner])
    html = MarkdownIt().render(render_prose(Element(prose.NUMBERED, {}, [item])))
    why = "<p><strong>Why:</strong> second</p>"
    assert "".join(html.split("\n")) == f"<ol><li><p>first</p>{why}<ul><li>third</li></ul></li></ol>"
    tight = Element(prose.NUMBERED, {}, [Element("item", {}, [Text("first"), inner])])
    assert MarkdownIt().render(render_prose(tight)).count("<p>") == 0
