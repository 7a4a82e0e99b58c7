"""`stepscript graph`: draws the transitions of a workflow."""

from collections.abc import Callable, Mapping
from typing import Final

import click
from attrs import asdict

from ...discovery import Found
from ...graph.data import Graph, graph_of, printed
from ...graph.dot import dot
from ...graph.mermaid import mermaid
from ...graph.text import text
from ...util.documents import json_text
from ...util.output import DONE
from ..arguments import OneOf, json_option
from ..output.screen import out
from ..output.waiting import telling
from ..workflow_argument import workflow_argument


def _text(graph: Graph) -> str:
    return text(graph, out().width)


def _json(graph: Graph) -> str:
    return json_text(asdict(graph))


def _html(graph: Graph) -> str:
    from ...graph.document import document
    from ...render.html import render_html

    return render_html(document(graph))


FORMS: Final[Mapping[str, Callable[[Graph], str]]] = {
    "text": _text,
    "mermaid": mermaid,
    "dot": dot,
    "json": _json,
    "html": _html,
}


@click.command()
@workflow_argument
@click.option("--format", "form", type=OneOf(FORMS), default="text", help="output format (default: text)")
@click.option("--walked", is_flag=True, help="walk the workflow first, and show what only its pages reveal")
@json_option
def command(found: Found, form: str, walked: bool, as_json: bool) -> int:
    """Show the steps of a workflow, and the target of each outcome.

    Gates, dispatches and loops with their limits are marked. A dispatch that a step decides on at run time is shown
    only with --walked, which takes up to a minute. The format html is a page for a browser, with a drawing and the
    same in words.
    """
    graph = graph_of(found.workflow)
    if walked:
        from ..skills.walking import walked as walk  # imports the whole proof

        with telling() as tell:
            graph = printed(graph, walk(found, tell).documents)
    out().text(FORMS["json" if as_json else form](graph))
    return DONE
