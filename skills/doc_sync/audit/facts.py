"""Facts of a README that can be checked: paths, targets of make, Python modules to run."""

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from posixpath import normpath
from typing import Final

from .findings import Finding, FindingKind, quoted
from .makefile import Targets, targets_beside
from .markdown import Page, Spot
from .near import Near
from .tree import Tree, folder_of, join

_PATH: Final = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)+/?")
_MAKE: Final = re.compile(r"\s*(?:\$ )?make ([A-Za-z][\w.-]*)(?![\w.=/-])")
_MODULE: Final = re.compile(r"\bpython[\d.]*(?: -[A-Za-z]+)*? -m ([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)")
MAX_PATH: Final = 300
"""Longest text that is looked up as a path, in characters."""


def of_facts(near: Near, path: str, page: Page) -> Iterator[Finding]:
    """Yield wrong facts. Only paths in an existing folder are judged: the others may be examples."""
    targets = cache(partial(targets_beside, near.tree, path))
    for spot in page.spans:
        if len(spot.text) <= MAX_PATH and _PATH.fullmatch(spot.text) and "/" in normpath(spot.text):
            yield from _of_path(near, path, spot)
    for spot in (*page.code, *page.spans):
        yield from _of_make(near, path, spot, targets)
        for module in _MODULE.findall(spot.text):
            yield from _of_module(near.tree, path, spot.line, module)


def _of_path(near: Near, path: str, spot: Spot) -> Iterator[Finding]:
    tree = near.tree
    places = [normpath(join(base, spot.text)) for base in (folder_of(path), "")]
    if any(place.split("/")[0] == ".." or tree.exists(place) for place in places):
        return
    for place in places:
        folder = folder_of(place)
        if folder and folder in tree.folders and not near.ignored(place, f"{place}/"):
            like = near.beside(place)
            meant = f"; did you mean {quoted(like)}?" if like else ""
            yield Finding(path, spot.line, FindingKind.DEAD_PATH, f"{quoted(spot.text)} does not exist{meant}")
            return


def _of_make(near: Near, path: str, spot: Spot, beside: Callable[[], Targets | None]) -> Iterator[Finding]:
    found = _MAKE.match(spot.text)
    targets = beside() if found else None
    if found and targets is not None and not targets.make(found[1]):
        like = near.named(found[1], targets.names)
        meant = f"; did you mean {quoted(f'make {like}')}?" if like else ""
        yield Finding(
            path, spot.line, FindingKind.DEAD_COMMAND, f"{quoted(f'make {found[1]}')} has no such target{meant}"
        )


def _of_module(tree: Tree, path: str, line: int, module: str) -> Iterator[Finding]:
    for base in dict.fromkeys((folder_of(path), "", "src")):
        place = join(base, module.replace(".", "/"))
        if tree.exists(f"{place}.py") or tree.exists(f"{place}/__main__.py"):
            return
    if any(folder_of(join(base, module.replace(".", "/"))) in tree.folders for base in ("", "src")):
        yield Finding(
            path, line, FindingKind.DEAD_COMMAND, f"{quoted(f'python3 -m {module}')} runs a module that does not exist"
        )
