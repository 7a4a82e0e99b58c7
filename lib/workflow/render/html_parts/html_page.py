"""The HTML page around rendered content: head, contents list, style."""

import base64
import hashlib
from collections.abc import Iterable
from html import escape
from typing import Final, NamedTuple

from .html_live import SCRIPT
from .html_style import STYLE


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


POLICY: Final = f"default-src 'none'; style-src {_digest(STYLE)}; base-uri 'none'; form-action 'none'"
"""Security policy: the browser runs no scripts, fetches nothing, and accepts only this style."""
LIVE: Final = f"{POLICY}; script-src {_digest(SCRIPT)}"
"""The same with one script, which loads the page again."""


class Entry(NamedTuple):
    """A heading in the contents."""

    level: int
    place: str
    title: str


def page(body: str, entries: Iterable[Entry], is_live: bool = False) -> str:
    """Return the whole page; the body is HTML, the titles are text. A live one loads itself again."""
    listed = list(entries)
    title = escape(listed[0].title) if listed else "stepscript"
    links = "".join(
        f'<li class="entry{level}"><a href="#{place}">{escape(name)}</a></li>' for level, place, name in listed[1:]
    )
    contents = f'<nav aria-label="Contents"><details><summary>Contents</summary><ul>{links}</ul></details></nav>'
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{LIVE if is_live else POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
{contents if links else ""}
<main id="content" tabindex="-1">
{"" if listed else "<h1>stepscript</h1>"}{body}
</main>
{f"<script>{SCRIPT}</script>" if is_live else ""}
</body>
</html>"""
