"""A tree as a page, read back by a parser of HTML."""

import pytest
from lxml import html

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Code, Document, Element
from lib.workflow.ast.prose import Look, Tone, arrow, box, bullets, drawing, flow, labelled, section, timeline
from lib.workflow.render.html import render_html

HOSTILE = (
    "</p></style></script><script>x</script>",
    "<img src=x onerror=x>",
    "\" onclick='x' '",
    "[a](javascript:x) javascript:x",
    "--> ]]> &lt;script&gt; &#60;b>",
    "</title></svg></pre></nav><base href=//x>",
)


def parsed(node: Node) -> html.HtmlElement:
    return html.document_fromstring(render_html(node))


def every_field(text: str) -> Document:
    """Return a document with the text in all possible places."""
    inner = (
        labelled(text, text, anchor=text, tone=Tone.BAD),
        bullets(text, labelled(text, Code(language="diff", text=f"+{text}\n-{text}"))),
        timeline(text),
        drawing(text, f"+---+\n| {text} |\n+---+"),
        flow(text, (box(text, text, Look.GATE, text), box("b", text, Look.STEP)), (arrow(text, "b", text),)),
        Element("box", {"name": text, "look": text}, [text]),
        Code(language=text, text=text),
        Element("x", {"y": text}, [text]),
        Element("section", {"title": text, "id": text, "onclick": text}, [text]),
        Element("labelled", {"label": text, "tone": text}, [text]),
    )
    made = section(text, *inner, anchor=text)
    assert made is not None
    return Document([made])


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_a_text_becomes_a_part_of_the_page(text: str) -> None:
    root, harmless = parsed(every_field(text)), parsed(every_field("x"))
    assert {element.tag for element in root.iter()} == {element.tag for element in harmless.iter()}
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")]
    assert not [link for _, name, link, _ in root.iterlinks() if name and not link.startswith("#")]
    assert root.xpath("//h1")[0].text_content() == text


def test_an_anchor_is_led_to_and_says_what_names_it() -> None:
    decision = labelled("DL-001", "sign, see DL-001", anchor="DL-001")
    user = labelled("CI-001 (DL-001)", "as DL-001 says, not XDL-001", anchor="CI-001")
    root = parsed(section("Plan", decision, user) or Code(text=""))
    (place,) = (e.get("id") for e in root.find_class("labelled") if (e.text_content()).startswith("DL-001"))
    links = [(link.text, link.get("href")) for link in root.xpath("//main//a")]
    assert links == [("CI-001", "#a2"), ("DL-001", f"#{place}"), ("DL-001", f"#{place}")]


def test_a_drawing_is_lines_and_its_words() -> None:
    root = parsed(section("S", drawing("D", "+-----+\n| a-b | -->  c\n+-----+")) or Code(text=""))
    (svg,) = root.xpath("//svg")
    assert [text.text for text in svg.xpath(".//text")] == ["a-b", "c"]
    assert len(svg.find_class("head")) == 1
    assert svg.get("aria-label") == "D: a b c"


def test_headings_have_the_levels_of_their_sections() -> None:
    deep = section("T", section("U", section("V", labelled("a", "b")), section("W", labelled("a", "b"))))
    root = parsed(section("S", deep, section("X", labelled("a", "b"))) or Code(text=""))
    found = [(each.tag, each.text_content()) for each in root.iter("h1", "h2", "h3", "h4", "h5")]
    assert found == [("h1", "S"), ("h2", "T"), ("h3", "U"), ("h4", "V"), ("h4", "W"), ("h2", "X")]


def test_lines_of_a_diff_have_their_classes() -> None:
    root = parsed(Code(language="diff", text="--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n same"))
    assert [line.get("class") for line in root.xpath("//pre//span")] == [
        *("file", "file", "hunk", "removed", "added", "same")
    ]


def test_a_page_fetches_nothing_and_can_be_jumped_in() -> None:
    deep = section("T", section("U", section("V", labelled("a", "b")), section("W", labelled("a", "b"))))
    root = parsed(section("S", deep, section("X", labelled("a", "b"))) or Code(text=""))
    (policy,) = root.xpath("//meta[@http-equiv]/@content")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert root.xpath("//body/*[1]/@href") == ["#content"]
    ids = set(root.xpath("//@id"))
    assert all(link[1:] in ids for link in root.xpath("//a/@href"))
    assert len(ids) == len(root.xpath("//@id"))
