"""All formats of a tree: the project's own, and those of installed packages."""

import importlib
from collections.abc import Callable
from typing import Final

from ..cli.script import FORMS, Forms, Renderer
from .skills.installed import added

GROUP: Final = "stepscript.renderers"
"""Entry point group of other packages: name = module:function, from a node to its text."""


FORMATS: Final = {
    "markdown": "lib.workflow.render.markdown:render_markdown",
    "json": "lib.workflow.render.json:render_json",
    "html": "lib.workflow.render.html:render_html",
}
"""The project's own formats that no step prints: name = module:function."""


def forms() -> Forms:
    """Return the loader of each format by name. Other packages cannot replace the project's own."""
    return {name: _loader(value) for name, value in {**added(GROUP), **FORMATS}.items()} | dict(FORMS)


def _loader(value: str) -> Callable[[], Renderer]:
    module, _, name = value.partition(":")

    def load() -> Renderer:
        renderer: Renderer = getattr(importlib.import_module(module.strip()), name.strip())
        return renderer

    return load
