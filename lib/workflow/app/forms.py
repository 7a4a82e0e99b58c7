"""All formats of a tree: the project's own, and those of installed packages."""

import importlib
from collections.abc import Callable
from typing import Final

from ..cli.script import FORMS, Forms, Renderer
from .installed import added

GROUP: Final = "stepscript.renderers"
"""Entry point group of other packages: name = module:function, from a node to its text."""


def _markdown() -> Renderer:
    from ..render.markdown import render_markdown

    return render_markdown


def _json() -> Renderer:
    from ..render.json import render_json

    return render_json


def _html() -> Renderer:
    from ..render.html import render_html

    return render_html


def forms() -> Forms:
    """Return the loader of each format by name. Other packages cannot replace the project's own."""
    return {
        **{name: _loader(value) for name, value in added(GROUP).items()},
        **FORMS,
        "markdown": _markdown,
        "json": _json,
        "html": _html,
    }


def _loader(value: str) -> Callable[[], Renderer]:
    module, _, name = value.partition(":")

    def load() -> Renderer:
        renderer: Renderer = getattr(importlib.import_module(module.strip()), name.strip())
        return renderer

    return load
