"""Rules for links: a relative link leads to an existing file, and to an existing heading."""

import re
from collections.abc import Iterator
from heapq import nsmallest
from posixpath import normpath, relpath
from typing import Final

from .findings import Finding, FindingKind, quoted
from .markdown import Page, Spot
from .near import Near
from .pages import Pages
from .tree import folder_of, join

EXTENSIONS: Final = (".md", ".markdown")
_ELSEWHERE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
"""The start of a link to another site."""


def is_page(path: str) -> bool:
    """Return True if the path is that of a Markdown page."""
    return path.lower().endswith(EXTENSIONS)


def of_links(near: Near, pages: Pages, path: str, links: tuple[Spot, ...]) -> Iterator[Finding]:
    """Yield the faults of these links of a page."""
    for link in links:
        if not _ELSEWHERE.match(link.text):
            fault = _fault(near, pages, path, link.text)
            if fault:
                yield Finding(path, link.line, *fault)


def _fault(near: Near, pages: Pages, path: str, link: str) -> tuple[FindingKind, str] | None:
    tree = near.tree
    before, _, anchor = link.partition("#")
    aim = before.partition("?")[0]
    target = path
    if aim:
        base = "" if aim.startswith("/") else folder_of(path)
        target = normpath(join(base, aim.lstrip("/") or "."))
        target = "" if target == "." else target
        if target.split("/")[0] == "..":
            return (
                FindingKind.DEAD_LINK,
                f"{quoted(link)} leads out of the repository; write an address, or remove the link",
            )
        if not tree.exists(target) or (aim.endswith("/") and target in tree.files):
            return FindingKind.DEAD_LINK, f"{quoted(link)} {_why(near, path, normpath(aim), target)}"
    return _of_anchor(near, pages, target, anchor) if anchor else None


def _why(near: Near, path: str, aim: str, target: str) -> str:
    if "~" in target.split("/"):
        return "leads into a home folder, outside this repository"
    if target in near.tree.files:
        return "is a file; remove the slash at its end"
    if near.ignored(target):
        return "leads to an ignored file: a clone of this repository does not have it"
    if near.tree.exists(aim):
        return f"is named from the root; write {quoted(relpath(aim, folder_of(path) or '.'))}"
    meant = near.moved(target) or near.beside(target)
    return f"leads nowhere; did you mean {quoted(meant)}?" if meant else "leads nowhere"


def _of_anchor(near: Near, pages: Pages, target: str, anchor: str) -> tuple[FindingKind, str] | None:
    page = pages.get(target) if is_page(target) and target in near.tree.files else None
    if not isinstance(page, Page) or anchor in page.anchors:
        return None
    like = near.named(anchor, page.anchors)
    meant = f"did you mean {quoted('#' + like)}?" if like else "headings: " + ", ".join(nsmallest(5, page.anchors))
    return FindingKind.DEAD_ANCHOR, f"{quoted('#' + anchor)} is not a heading of {quoted(target)}; {meant}"
