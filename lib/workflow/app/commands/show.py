"""`stepscript show`: shows one workflow, and how to start it."""

import click
from attrs import asdict

from ...arguments.parameter import Parameter
from ...discovery import Found
from ...graph.data import Graph, GraphNode, graph_of
from ...graph.words import END, edge_labels, notes, title
from ...util.output import DONE
from ..arguments import json_option
from ..output.screen import Screen, emit, out
from ..skills.shelves import package_of
from ..skills.start_commands import bare_start, start, told_at_start
from ..workflow_argument import workflow_argument


@click.command()
@workflow_argument
@json_option
def command(found: Found, as_json: bool) -> int:
    """Show one workflow: its steps, its flags, how to start it."""
    graph = graph_of(found.workflow)
    if as_json:
        emit(_document(found, graph))
    else:
        _print(found, graph, out())
    return DONE


def _document(found: Found, graph: Graph) -> dict[str, object]:
    workflow = found.workflow
    return {
        **asdict(graph),
        "package": package_of(found),
        "home": found.home,
        "module": workflow.module,
        "start": str(start(workflow)),
        "needs": told_at_start(found),
        "parameters": [
            {
                "flag": parameter.flag,
                "steps": [number for number, name in enumerate(workflow.steps, 1) if key in workflow.taken_by(name)],
                "legal": parameter.legal,
                "choices": parameter.choices,
                "default": parameter.default,
                "required": parameter.required,
                "description": parameter.arg.description,
            }
            for key, parameter in workflow.parameters.items()
        ],
    }


def _print(found: Found, graph: Graph, screen: Screen) -> None:
    workflow = found.workflow
    screen.line((workflow.name, "bold"))
    screen.paragraph(workflow.description)
    screen.line()
    steps = [(f"{node.number:>2}", title(node), _ways(graph, node), "\n".join(notes(node))) for node in graph.nodes]
    screen.table(("", "step", "outcomes", ""), steps)
    if workflow.parameters:
        screen.line()
        rows = [(item.flag, workflow.takers(name), _value(item)) for name, item in workflow.parameters.items()]
        screen.table(("flag", "steps", "value"), rows)
    screen.line()
    screen.line(("start it with", "dim"))
    screen.line("  ", (str(bare_start(workflow)), "green"))
    needed = told_at_start(found)
    if needed:
        screen.line(("  and add ", "dim"), ", ".join(needed))


def _value(parameter: Parameter) -> str:
    default = "" if parameter.default is None else f" (default: {parameter.default})"
    return "\n".join(filter(None, [parameter.legal + default, parameter.arg.description]))


def _ways(graph: Graph, node: GraphNode) -> str:
    numbers = {other.id: str(other.number) for other in graph.nodes}
    return "\n".join(
        f"{edge_labels(edge)[0]} → {edge.script or END if edge.target is None else numbers[edge.target]}"
        for edge in graph.leaving(node)
    )
