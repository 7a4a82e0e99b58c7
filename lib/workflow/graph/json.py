"""The graph as JSON, for programs."""

import json

from attrs import asdict

from ..util.characters import plain_json
from .data import Graph


def graph_json(graph: Graph) -> str:
    """Return one object: name, description, nodes and edges with the fields of their classes."""
    return plain_json(json.dumps(asdict(graph), ensure_ascii=False, indent=2))
