"""Every form that a tree can be printed in: the project's own, and what installed packages add."""

from importlib.metadata import entry_points

from ..script import FORMS, Forms, Renderer

GROUP = "stepscript.renderers"
"""The entry point group of other packages: name = module:function, from a node to its text."""


def _markdown() -> Renderer:
    from ..render.markdown import render_markdown

    return render_markdown


def _json() -> Renderer:
    from ..render.json import render_json

    return render_json


def forms() -> Forms:
    """By name, what loads each form. A name of the project's own cannot be taken."""
    ours: Forms = {**FORMS, "markdown": _markdown, "json": _json}
    found: Forms = {point.name: point.load for point in entry_points(group=GROUP) if point.name not in ours}
    return {**ours, **found}
