"""All node classes, for the parser, the schema and the laws. A step does not import it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from . import batch, dispatch, guidance, nodes, relay, results, step
from .fields import Node, tags_of

FAMILIES: Final = (nodes, step, dispatch, guidance, relay, results, batch)
"""The modules whose classes have tags of their own."""

CLASSES: Final[tuple[type[Node], ...]] = tuple(
    cls
    for family in FAMILIES
    for cls in vars(family).values()
    if isinstance(cls, type) and issubclass(cls, Node) and cls.__module__ == family.__name__
    if cls is not nodes.Element and cls.tag
)
"""Every class that has a tag of its own, in the order of the families."""

BY_TAG: Final[Mapping[str, tuple[type[Node], ...]]] = MappingProxyType(
    {
        tag: tuple(cls for cls in CLASSES if cls.standalone and tag in tags_of(cls))
        for tag in {tag for cls in CLASSES if cls.standalone for tag in tags_of(cls)}
    }
)
"""Candidate classes of an element by tag; an element with any other tag becomes an `Element`."""
