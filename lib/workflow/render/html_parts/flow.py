"""A drawing of a flow as SVG: a column of boxes with arrows as rows inside them, and lanes for arrows on both sides.

Arrows to the next box go straight down, arrows further down take the right side, arrows back the left. Arrows to one
box share its lane.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final, NamedTuple

from ...ast import prose
from ...ast.nodes import Element, Text
from ...util.plurals import count
from ...util.wrapping import wrapped

COLUMNS: Final = 34
"""Characters per line in a box."""
CHAR: Final = 8
LINE: Final = 18
PAD: Final = 10
GAP: Final = 26
"""Units between boxes, and above the heading of a part."""
LANE: Final = 12
BEND: Final = 6
WIDTH: Final = COLUMNS * CHAR + 2 * PAD
LOOKS: Final = frozenset(prose.Look)
DOWN: Final = " ↓"


class Row(NamedTuple):
    """An arrow, at the row where it leaves its box."""

    lines: Sequence[str]
    """Lines of its label; empty for an arrow without one."""
    target: int
    """Index of the target box."""
    y: int


class Box(NamedTuple):
    """A laid-out box."""

    above: str
    title: Sequence[str]
    notes: Sequence[str]
    look: str
    rows: Sequence[Row]
    top: int
    height: int

    @property
    def middle(self) -> int:
        """Height at which arrows enter from a side."""
        return self.top + PAD + LINE // 2


class Lane(NamedTuple):
    """A line beside the boxes, from rows to their target box."""

    end: int
    starts: Sequence[int]
    x: int
    """Distance from the boxes."""


def flow_svg(node: Element) -> str:
    """Return the drawing of a flow. Arrows from or to unknown boxes are left out."""
    boxes = _laid_out([child for child in node.children if isinstance(child, Element)])
    right = _lanes(boxes, [row for here, box in enumerate(boxes) for row in box.rows if row.target > here + 1])
    left = _lanes(boxes, [row for here, box in enumerate(boxes) for row in box.rows if row.target <= here])
    before, after = (max((lane.x for lane in lanes), default=0) + LANE for lanes in (left, right))
    width, height = before + WIDTH + after, boxes[-1].top + boxes[-1].height + PAD if boxes else PAD
    arrows = count(sum(len(box.rows) for box in boxes), "arrow")
    said = f"{dict(node.attributes).get('title', '')}: {count(len(boxes), 'box')}, {arrows}"
    drawn = (
        *(_lane(lane, WIDTH, 1, "line") for lane in right),
        *(_lane(lane, 0, -1, "line back") for lane in left),
        *(part for place in range(len(boxes)) for part in _box(place, boxes)),
    )
    return (
        f'<svg class="flow" role="img" aria-label="{escape(said)}" '
        f'viewBox="{-before} 0 {width} {height}" width="{width}" height="{height}">{"".join(drawn)}</svg>'
    )


def _laid_out(children: Sequence[Element]) -> list[Box]:
    found = [(dict(child.attributes), child) for child in children if child.tag == prose.BOX]
    places = {said.get("name", ""): place for place, (said, _) in enumerate(found)}
    leaving: dict[str, list[tuple[int, Element]]] = {}
    for child in children:
        said = dict(child.attributes)
        if child.tag == prose.ARROW and said.get("to") in places:
            leaving.setdefault(said.get("from", ""), []).append((places[said["to"]], child))
    boxes: list[Box] = []
    top = 2
    for place, (said, child) in enumerate(found):
        top += GAP if said.get("above") else 0
        title, *notes = _texts(child) or [""]
        lines, below = _wrapped([title]), _wrapped(notes)
        y = top + 2 * PAD + LINE * (len(lines) + len(below))
        rows: list[Row] = []
        for target, arrow in leaving.get(said.get("name", ""), ()):
            texts = _wrapped([text + DOWN * (target == place + 1) for text in _texts(arrow)])
            rows.append(Row(texts, target, y + LINE // 2 if texts else top + PAD + LINE // 2))
            y += LINE * len(texts)
        y += PAD if any(row.lines for row in rows) else 0
        boxes.append(Box(said.get("above", ""), lines, below, said.get("look", ""), rows, top, y - top))
        top = y + GAP
    return boxes


def _texts(node: Element) -> list[str]:
    return [line for child in node.children if isinstance(child, Text) for line in child.value.split("\n") if line]


def _wrapped(lines: Iterable[str]) -> list[str]:
    return [part for line in lines for part in wrapped(line, COLUMNS)]


def _lanes(boxes: Sequence[Box], rows: Iterable[Row]) -> list[Lane]:
    """Return one lane for each target box, the short ones nearest."""
    starts: dict[int, list[int]] = {}
    for row in rows:
        starts.setdefault(boxes[row.target].middle, []).append(row.y)
    taken: list[list[tuple[int, int]]] = []
    lanes: list[Lane] = []
    for end, ys in sorted(starts.items(), key=lambda lane: max(*lane[1], lane[0]) - min(*lane[1], lane[0])):
        top, bottom = min(*ys, end), max(*ys, end)
        free = (place for place, used in enumerate(taken) if all(bottom < a or b < top for a, b in used))
        place = next(free, len(taken))
        taken[place:] = [[*(taken[place] if place < len(taken) else ()), (top, bottom)], *taken[place + 1 :]]
        lanes.append(Lane(end, ys, (place + 2) * LANE))
    return lanes


def _lane(lane: Lane, edge: int, side: int, kind: str) -> str:
    """Draw a lane at the right (side 1) or the left (-1) of the boxes, and the head of its arrow."""
    x, end = edge + side * lane.x, lane.end
    near = x - side * BEND
    strokes = "".join(
        f"M{edge} {y}H{near}Q{x} {y} {x} {y + bend}V{end - bend}Q{x} {end} {near} {end}H{edge + side * 7}"
        for y in lane.starts
        for bend in (BEND if end > y else -BEND,)
    )
    return f'<path class="{kind}" d="{strokes}"/>{_head(edge, end, f"{side * 9} -5v10")}'


def _box(place: int, boxes: Sequence[Box]) -> Iterator[str]:
    box = boxes[place]
    look = box.look if box.look in LOOKS else prose.Look.STEP
    if box.above:
        yield _text(0, box.top - 10, box.above, "quiet")
    for inset in (0, 3) if look == prose.Look.DISPATCH else (0,):
        yield (
            f'<rect class="box {look}" x="{inset}" y="{box.top + inset}" width="{WIDTH - 2 * inset}" '
            f'height="{box.height - 2 * inset}" rx="{18 if look == prose.Look.TERMINAL else 4}"/>'
        )
    for number, line in enumerate((*box.title, *box.notes)):
        yield _text(PAD, box.top + PAD + number * LINE + 13, line, "" if number < len(box.title) else "quiet")
    rows = [row for row in box.rows if row.lines]
    if rows:
        rule = rows[0].y - (LINE + PAD) // 2
        yield f'<path class="rule" d="M{PAD} {rule}H{WIDTH - PAD}"/>'
    for row in rows:
        for number, line in enumerate(row.lines):
            yield _text(PAD, row.y + 4 + number * LINE, line)
        if row.target > place + 1:
            yield f'<path class="rule" d="M{PAD + CHAR * (len(row.lines[0]) + 1)} {row.y}H{WIDTH}"/>'
    if any(row.target == place + 1 for row in box.rows):
        end = boxes[place + 1].top
        yield f'<path class="line" d="M{WIDTH // 2} {box.top + box.height}V{end - 7}"/>'
        yield _head(WIDTH // 2, end, "-5 -9h10")


def _head(x: int, y: int, back: str) -> str:
    return f'<path class="head" d="M{x} {y}l{back}z"/>'


def _text(x: int, y: int, text: str, kind: str = "") -> str:
    said = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}"{said}>{escape(text)}</text>'
