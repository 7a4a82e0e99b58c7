"""All rules over a tree."""

from collections.abc import Iterator

from .facts import of_facts
from .findings import Finding, FindingKind, quoted
from .index import of_index
from .links import is_page, of_links
from .markdown import Page
from .near import Near
from .pages import Pages
from .presence import INDEX, README, of_presence
from .tree import QUIET, Tree, join, name_of


def audit(tree: Tree) -> tuple[Finding, ...]:
    """Return all faults that are not allowed, by file and line."""
    pages, near = Pages(tree), Near(tree)
    found = [*of_presence(tree), *_of_quiet(tree)]
    for path in pages_in_scope(tree):
        page = pages.get(path)
        found += _of_page(near, pages, path, page) if isinstance(page, Page) else [page]
    return tuple(sorted(finding for finding in set(found) if not tree.allows(finding.kind, finding.file)))


def pages_in_scope(tree: Tree) -> Iterator[str]:
    """Yield the Markdown pages to check."""
    for folder in tree.in_scope():
        for name in sorted(tree.folders[folder].files):
            if is_page(name) and not tree.is_quiet(join(folder, name)):
                yield join(folder, name)


def _of_page(near: Near, pages: Pages, path: str, page: Page) -> Iterator[Finding]:
    links = page.links
    if name_of(path) == INDEX:
        yield from of_index(near, path, page)
        entries = {(row.line, name) for row in page.rows for name in row.names}
        links = tuple(link for link in links if (link.line, link.text) not in entries)
    if name_of(path) == README:
        yield from of_facts(near, path, page)
    yield from of_links(near, pages, path, links)


def _of_quiet(tree: Tree) -> Iterator[Finding]:
    """Yield patterns that no longer match anything."""
    if tree.scope:
        return
    asked_for = [join(folder, name) for folder in tree.folders for name in (INDEX, README)]
    for line, pattern in (*tree.quiet, *((line, pattern) for line, _, pattern in tree.allowed)):
        if not any(tree.matches(pattern, path) for path in (*tree.folders, *tree.files, *asked_for)):
            yield Finding(QUIET, line, FindingKind.DEAD_ENTRY, f"{quoted(pattern)} matches no file; remove the line")
