"""All node classes, for the parser, the schema and the laws. A step does not import it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from . import batch, dispatch, guidance, nodes, relay, results, step
from .fields import Node, tags_of

CLASSES: Final[tuple[type[Node], ...]] = (
    *nodes.NODES,
    *step.NODES,
    *dispatch.NODES,
    *guidance.NODES,
    *relay.NODES,
    *results.NODES,
    *batch.NODES,
)
"""Every class that has a tag of its own."""

BY_TAG: Final[Mapping[str, tuple[type[Node], ...]]] = MappingProxyType(
    {
        tag: tuple(cls for cls in CLASSES if cls.standalone and tag in tags_of(cls))
        for tag in {tag for cls in CLASSES if cls.standalone for tag in tags_of(cls)}
    }
)
"""Candidate classes of an element by tag; an element with any other tag becomes an `Element`."""
