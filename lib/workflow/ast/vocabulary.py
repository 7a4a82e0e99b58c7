"""The tags that a document may use beyond the node classes: it makes typos errors and lets a schema be closed."""

from collections.abc import Iterable

from attrs import field, frozen

from ..util.characters import check_name
from ..util.suggest import nearest
from .catalogue import CLASSES
from .fields import Node
from .nodes import RESERVED, Element
from .visitor import walk


def _tags(tags: Iterable[str]) -> frozenset[str]:
    if isinstance(tags, str):
        raise TypeError(f"a vocabulary is a list of tags; got the string {tags!r:.60}")
    found = frozenset(check_name(tag, "Vocabulary") for tag in tags)
    if found & RESERVED:
        raise ValueError(f"Vocabulary: {', '.join(sorted(found & RESERVED))}: has its own node class; leave it out")
    return found


@frozen
class Vocabulary:
    """The tags of a skill's own elements. Node classes are always known."""

    tags: frozenset[str] = field(default=frozenset(), converter=_tags)

    def __or__(self, other: "Vocabulary") -> "Vocabulary":
        return Vocabulary(self.tags | other.tags)


CORE = Vocabulary()
"""The empty vocabulary: only elements with a class."""


def is_foreign(node: Node) -> bool:
    """Return True for a node of another package's class: it prints as an element of its tag, and reads back as one."""
    return bool(node.tag) and not isinstance(node, Element) and type(node) not in CLASSES


def validate(node: Node, vocabulary: Vocabulary = CORE) -> None:
    """Check that the vocabulary has the tags of all elements, and of all nodes of classes that are not ours.

    Args:
        node: Root of the tree.
        vocabulary: Tags of the workflow; by default only those of node classes.

    Raises:
        ValueError: If a tag is unknown. The message names the nearest known tag.
    """
    used = {item.tag for item in walk(node) if isinstance(item, Element) or is_foreign(item)}
    strangers = sorted(used - vocabulary.tags)
    if strangers:
        raise ValueError("; ".join(unknown(tag, vocabulary) for tag in strangers))


def unknown(tag: str, vocabulary: Vocabulary) -> str:
    """Return the message for an unknown tag, with the nearest legal one."""
    near = nearest(tag, sorted(vocabulary.tags | RESERVED))
    own = f"add it to the tags of the workflow: tags=({tag!r},)"
    return f"<{tag}> is not in the vocabulary; {f'did you mean <{near}>? If it is your own, {own}' if near else own}"
