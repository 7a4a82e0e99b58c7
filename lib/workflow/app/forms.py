"""Every form that a tree can be printed in: the project's own, and what installed packages add."""

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points

from ..cli import FORMS, Renderer

GROUP = "stepscript.renderers"
"""The entry point group of other packages: name = module:function, from a node to its text."""


def _markdown() -> Renderer:
    from ..render.markdown import render_markdown

    return render_markdown


def _json() -> Renderer:
    from ..render.json import render_json

    return render_json


def forms() -> Mapping[str, Callable[[], Renderer]]:
    """By name, what loads each form. A name of the project's own cannot be taken."""
    found: dict[str, Callable[[], Renderer]] = {point.name: point.load for point in entry_points(group=GROUP)}
    return {**FORMS, "markdown": _markdown, "json": _json} | {
        name: load for name, load in found.items() if name not in (*FORMS, "markdown", "json")
    }
