"""Drawings as SVG: from its coordinates alone, a drawing reads back as what was drawn, and nothing lies on another."""

import itertools
import random
import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from lxml import etree

from lib.workflow.ast.nodes import Element
from lib.workflow.ast.prose import Look, arrow, bar, box, chart, flow
from lib.workflow.render.html_parts import chart as charts
from lib.workflow.render.html_parts.chart import chart_svg
from lib.workflow.render.html_parts.flow import CHAR, COLUMNS, LINE, PAD, WIDTH, flow_svg
from lib.workflow.render.html_parts.svg import HIGH, WIDE, svg

LONG = "a label that is longer than a line of a box, so that it is wrapped"
STRAIGHT = re.compile(r"M(-?\d+) (-?\d+)V(-?\d+)")
BESIDE = re.compile(r"M(-?\d+) (\d+)H(-?\d+)Q(-?\d+) \2 \4 (\d+)V(\d+)Q\4 (\d+) \3 \7H(-?\d+)")
"""An arrow beside the boxes: out of one, round a bend, along a lane, round a bend, and into another."""


class Rect(NamedTuple):
    """A rectangle."""

    x: int
    y: int
    width: int
    height: int

    def holds(self, y: float) -> bool:
        return self.y < y < self.y + self.height


def parsed(source: str) -> etree._Element:
    return etree.fromstring(source)


def rects(root: etree._Element) -> list[Rect]:
    return [Rect(*(int(each.get(name, "")) for name in Rect._fields)) for each in root.iter("rect")]


def heads(root: etree._Element) -> set[tuple[int, int]]:
    """Return the tips of the heads of arrows."""
    found = re.findall(
        r"M(-?\d+) (-?\d+)l", " ".join(each.get("d", "") for each in root.iterfind("path[@class='head']"))
    )
    return {(int(x), int(y)) for x, y in found}


def lines(root: etree._Element) -> str:
    return " ".join(each.get("d", "") for each in root.iter("path") if (each.get("class") or "").startswith("line"))


def arrows_of(root: etree._Element, boxes: list[Rect]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of the boxes from which and to which the lines lead."""
    tips = heads(root)
    for x, begin, end in (map(int, found) for found in STRAIGHT.findall(lines(root))):
        (target,) = (number for number, each in enumerate(boxes) if (x, each.y) in tips and 0 < each.y - end < LINE)
        assert boxes[target - 1].y + boxes[target - 1].height == begin
        yield target - 1, target
    for edge, begin, near, far, first, last, end, tip in (map(int, found) for found in BESIDE.findall(lines(root))):
        side = 1 if far > edge else -1
        assert edge == (WIDTH if side > 0 else 0)
        assert 0 < side * (tip - edge) < side * (near - edge) < side * (far - edge)
        assert min(begin, end) < min(first, last) <= max(first, last) < max(begin, end)
        assert (end > begin) == (first > begin) == (last < end)
        assert (edge, end) in tips
        (source,), (target,) = ([at for at, each in enumerate(boxes) if each.holds(y)] for y in (begin, end))
        yield source, target


def lanes(root: etree._Element) -> dict[tuple[int, int], tuple[int, int]]:
    """Return the first and last height of each lane, by its place and the height where it ends."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for _, begin, _, far, _, _, end, _ in (map(int, each) for each in BESIDE.findall(lines(root))):
        top, bottom = found.get((far, end), (end, end))
        found[far, end] = min(top, begin), max(bottom, begin)
    return found


def drawn(boxes: list[tuple[str, Look, str]], arrows: list[tuple[int, int, str]]) -> etree._Element:
    made = [box(f"b{number}", text, look, above) for number, (text, look, above) in enumerate(boxes)]
    node = flow("Flow", made, [arrow(f"b{begin}", f"b{end}", text) for begin, end, text in arrows])
    assert node is not None
    return parsed(flow_svg(node))


def random_flow(seed: int) -> tuple[list[tuple[str, Look, str]], list[tuple[int, int, str]]]:
    pick = random.Random(seed)
    texts = ["Title", f"Title\n{LONG}", f"{LONG}\nnote\nanother"]
    boxes = [
        (pick.choice(texts), pick.choice([*Look]), pick.choice(["", "", "Phase"])) for _ in range(pick.randint(2, 8))
    ]
    pairs = sorted({(pick.randrange(len(boxes)), pick.randrange(len(boxes))) for _ in range(pick.randint(1, 12))})
    labels = ["ok", LONG, ""]  # an arrow of a box to itself has one, which says when
    return boxes, [(begin, end, pick.choice(labels[: 2 + (begin != end)])) for begin, end in pairs]


@pytest.mark.parametrize("seed", range(40))
def test_a_flow_reads_back_from_its_coordinates_and_nothing_lies_on_another(seed: int) -> None:
    boxes, arrows = random_flow(seed)
    root = drawn(boxes, arrows)
    all_rects = rects(root)
    outer = [each for each in all_rects if not each.x]
    assert len(outer) == len(boxes)
    assert sorted(arrows_of(root, outer)) == [(begin, end) for begin, end, _ in arrows]
    for one, two in itertools.pairwise(outer):
        assert two.y - one.y - one.height >= LINE
    for inner in (each for each in all_rects if each.x):
        (around,) = (each for each in outer if each.holds(inner.y))
        assert inner.x == inner.y - around.y == (around.width - inner.width) / 2 == (around.height - inner.height) / 2
    assert sum(look is Look.DISPATCH for _, look, _ in boxes) == len(all_rects) - len(outer)
    left, top, width, height = map(int, root.get("viewBox", "").split())
    assert (top, str(width), str(height)) == (0, root.get("width"), root.get("height"))
    assert outer[0].y >= 0
    assert outer[-1].y + outer[-1].height < height
    places = [far for far, _ in lanes(root)]
    assert left < min([0, *places])
    assert max([WIDTH, *places]) < left + width


@pytest.mark.parametrize("seed", range(40))
def test_lanes_of_a_flow_do_not_meet(seed: int) -> None:
    found = lanes(drawn(*random_flow(seed)))
    for (place, end), (top, bottom) in found.items():
        for (other, other_end), (first, last) in found.items():
            assert place != other or end == other_end or bottom < first or last < top


@pytest.mark.parametrize("seed", range(40))
def test_texts_of_a_flow_have_rows_of_their_own_in_their_boxes(seed: int) -> None:
    boxes, arrows = random_flow(seed)
    root = drawn(boxes, arrows)
    outer = [each for each in rects(root) if not each.x]
    rows = [(int(each.get("y", "")), int(each.get("x", "")), each.text or "") for each in root.iter("text")]
    assert all(two[0] - one[0] >= LINE for one, two in itertools.pairwise(rows))
    for number, ((text, _, above), place) in enumerate(zip(boxes, outer, strict=True)):
        inside = [(y, said) for y, x, said in rows if place.holds(y) and x == PAD]
        assert all(place.holds(y - LINE // 2) for y, _ in inside)
        said = " ".join(said for _, said in inside)
        labels = [
            f"{label} ↓" if end == number + 1 else label for begin, end, label in arrows if begin == number and label
        ]
        assert said == " ".join([*text.split("\n"), *labels])
        assert all(len(said) <= COLUMNS for _, said in inside)
        heading = [said for y, x, said in rows if x == 0 and 0 < place.y - y < LINE]
        assert heading == [above] * bool(above)
        rules = [
            int(found) for found in re.findall(rf"M{PAD} (\d+)H{WIDTH - PAD}", etree.tostring(root, encoding="unicode"))
        ]
        assert sum(map(place.holds, rules)) == bool(labels)


def test_a_label_of_a_far_arrow_is_joined_to_the_edge() -> None:
    root = drawn([("A", Look.STEP, ""), ("B", Look.STEP, ""), ("C", Look.STEP, "")], [(0, 2, "skip"), (0, 1, "ok")])
    joined = re.findall(
        rf"M(\d+) (\d+)H{WIDTH}", " ".join(each.get("d", "") for each in root.iterfind("path[@class='rule']"))
    )
    (begin,) = (found[1] for found in BESIDE.findall(lines(root)))
    assert joined == [(str(PAD + CHAR * (len("skip") + 1)), begin)]


@pytest.mark.parametrize("bars", [3, charts.FEW - 1, charts.FEW])
def test_a_chart_shows_each_time_in_percent_and_rows_do_not_overlap(bars: int) -> None:
    times = [(10 * number, 10 * number + 400) for number in range(bars)]
    length = max(end for _, end in times)
    made = [bar(f"bar {number}", begin, end) for number, (begin, end) in enumerate(times)]
    root = parsed(chart_svg(charted(bar("Head", 0, 0, is_head=True), *made)))
    found = [{name: float(each.get(name, "").rstrip("%")) for name in Rect._fields} for each in root.iter("rect")]
    assert [each["x"] for each in found] == [round(100 * begin / length, 2) for begin, _ in times]
    assert [each["width"] for each in found] == [round(100 * (end - begin) / length, 2) for begin, end in times]
    for one, two in itertools.pairwise(found):
        assert two["y"] - one["y"] - one["height"] == 2
    head = root.find("text[@class='head']")
    assert head is not None
    assert 0 < float(head.get("y", "")) < found[0]["y"]
    (rule,) = root.iter("line")
    assert found[-1]["y"] + found[-1]["height"] < float(rule.get("y1", "")) == float(rule.get("y2", ""))
    assert float(rule.get("y1", "")) < float(root.get("height", "")) - LINE / 2
    heights = [float(each.get("y", "")) for each in root.iter("text")]
    assert heights == sorted(heights)
    assert float(rule.get("y1", "")) + LINE / 2 < heights[-2] == heights[-1] < float(root.get("height", ""))
    texts = [each.text for each in root.iter("text") if (each.text or "").startswith("bar")]
    assert len(texts) == (bars if bars < charts.FEW else 0)


@pytest.mark.parametrize(
    ("begin", "end", "at", "anchor"),
    [
        (0, 30, 30.0, "start"),
        (60, 100, 60.0, "end"),
        (40, 60, 40.0, "start"),
        (20, 20, 20.3, "start"),
        (100, 100, 99.7, "end"),
    ],
    ids=["after it", "before it", "inside", "a moment", "a moment at the end"],
)
def test_text_of_a_bar_is_where_there_is_room(begin: int, end: int, at: float, anchor: str) -> None:
    root = parsed(chart_svg(charted(bar("text", begin, end), bar("all", 0, 100))))
    text = root.find("text")
    rect = root.find("rect")
    assert text is not None
    assert rect is not None
    assert (float(text.get("x", "").rstrip("%")), text.get("text-anchor")) == (at, anchor)
    assert (float(text.get("dx", "")) > 0) == (anchor == "start")
    assert float(rect.get("width", "").rstrip("%")) == max(end - begin, charts.THIN)
    y, top, high = (float(each) for each in (text.get("y", ""), rect.get("y", ""), rect.get("height", "")))
    assert top + high / 2 < y < top + high


def charted(*bars: Element | None) -> Element:
    node = chart("Chart", "1 s", *bars)
    assert node is not None
    return node


DRAWINGS = {
    "box": ("+-----+\n| a-b | -->  c\n+-----+", ["a-b", "c"]),
    "tree": ("+---+---+\n|   |   |\nv   |   ^\nx   y   z", ["^", "x", "y", "z"]),
    "words": (
        "key-value | x+y  v1 >= 2 <b> A^B - v\n+ |",
        ["key-value", "|", "x+y", "v1", ">=", "2", "<b>", "A^B", "-", "v", "+", "|"],
    ),
    "wide": ("日本 --> 語\n|\n+--> x", ["日本", "語", "x"]),
    "ends": ("<--+   ^\n   |   |\n   v   -->", []),
    "heads beside words": ("|  |  ^\nv1 v  a\n ^ |v", ["^", "v1", "a", "^", "v"]),
}


@pytest.mark.parametrize(("text", "words"), DRAWINGS.values(), ids=DRAWINGS)
def test_a_text_drawing_reads_back_from_its_coordinates(text: str, words: list[str]) -> None:
    root = parsed(svg(text, "Drawing"))
    cells: dict[tuple[int, int], str] = {}
    corners: dict[tuple[int, int], set[str]] = {}
    for x, y, way, by in re.findall(r"M(\d+) (\d+)([hv])(-?\d+)", lines(root)):
        row, column, half = int(y) // HIGH, int(x) // WIDE, abs(int(by)) in (WIDE // 2, HIGH // 2)
        if half:
            corners.setdefault((row, column), set()).add(f"{way}{'+' if int(by) > 0 else '-'}")
            assert (int(x) % WIDE, int(y) % HIGH) == (WIDE // 2, HIGH // 2)
        else:
            cells[row, column] = "-" if way == "h" else "|"
            assert int(by) == (WIDE if way == "h" else HIGH)
            assert (int(x) % WIDE, int(y) % HIGH) == ((0, HIGH // 2) if way == "h" else (WIDE // 2, 0))
    for head in root.iterfind("path[@class='head']"):
        x, y = map(int, re.findall(r"\d+", head.get("transform", "")))
        cells[y // HIGH, x // WIDE] = _heading(head.get("d", ""))
    cells |= dict.fromkeys(corners, "+")
    assert [each.text for each in root.iter("text")] == words
    for each in root.iter("text"):
        row, column = int(each.get("y", "")) // HIGH, int(each.get("x", "")) // WIDE
        assert int(each.get("textLength", "")) == WIDE * sum(
            2 if ord(letter) > 0x2FFF else 1 for letter in each.text or ""
        )
        for letter in each.text or "":
            cells[row, column] = letter
            column += 2 if ord(letter) > 0x2FFF else 1
    grid = [[""] * (2 * len(line)) for line in text.split("\n")]
    for (row, column), letter in cells.items():
        grid[row][column] = letter
    shown = ["".join(letter or " " for letter in line).rstrip() for line in grid]
    assert shown == [
        "".join(f"{letter} " if ord(letter) > 0x2FFF else letter for letter in line).rstrip()
        for line in text.split("\n")
    ]
    for (row, column), ways in corners.items():
        joined = {"h+": (0, 1), "h-": (0, -1), "v+": (1, 0), "v-": (-1, 0)}
        assert ways == {
            way for way, (down, right) in joined.items() if cells.get((row + down, column + right), " ") in _joins(way)
        }
    width, height = int(root.get("width", "")), int(root.get("height", ""))
    assert width > max(column for _, column in cells) * WIDE
    assert height == HIGH * len(grid)


def _heading(shape: str) -> str:
    """Return the character of a head, by the corner of its triangle that is alone on its side."""
    points = [(int(x), int(y)) for x, y in re.findall(r"[ML](-?\d+) (-?\d+)", shape)]
    for axis, (low, high) in enumerate((("<", ">"), ("^", "v"))):
        values = sorted(point[axis] for point in points)
        if values[1] - values[0] != values[2] - values[1]:
            return high if values[0] == values[1] else low
    raise AssertionError(shape)


def _joins(way: str) -> str:
    return "-+<>" if way[0] == "h" else "|+v^"
