"""A renderer of trees as JSON, for programs without an XML parser, and its parser."""

import json
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final, TypeAlias

from attrs import Attribute, fields

from ..ast.fields import MAX_DEPTH, FieldKind, FieldSpec, Node, check_depth, part_of
from ..ast.nodes import Document, Element, Text
from ..ast.visitor import Visitor
from ..util.characters import plain_json
from ..util.documents import SCHEMA, json_text

Json: TypeAlias = str | int | bool | list["Json"] | dict[str, "Json"] | None

MAX_SIZE: Final = 16 * 1024 * 1024
"""Maximum input size in characters."""


class JsonError(ValueError):
    """Raised for text that is not a document. The message begins with the path, from `$`."""


class JsonRenderer(Visitor[Json]):
    """Renderer of nodes as objects: the class as `type`, and the fields. A text among nodes becomes a string."""

    def generic(self, node: Node) -> Json:
        shown: dict[str, Json] = {"type": type(node).__name__}
        for item in fields(type(node)):
            value = getattr(node, item.name)
            if value is not None:
                shown[item.name] = dict(value) if _is_open(item.metadata, value) else self.value(value)
        return shown

    def text(self, node: Text) -> Json:
        return node.value

    def value(self, value: object) -> Json:
        """Return a field's value: nodes, lists of nodes and numbers as JSON, anything else as its XML text."""
        if isinstance(value, Node):
            return self.visit(value)
        if isinstance(value, tuple):
            return [self.value(item) for item in value]
        return value if isinstance(value, int) else str(value)


def render_json(node: Node) -> str:
    """Render the node as JSON text, with the version of the format. `parse_json` reverses it for a document."""
    check_depth(node)
    shown = JsonRenderer().visit(node)
    if isinstance(shown, dict):
        return json_text(shown)
    return plain_json(json.dumps(shown, ensure_ascii=False))


def parse_json(text: str) -> Document:
    """Parse JSON text into a document. Raises JsonError, with the path, if it is not one."""
    if len(text) > MAX_SIZE:
        raise JsonError(f"$: {len(text):,} characters; the limit is {MAX_SIZE:,}")
    try:
        given: Json = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
        if isinstance(given, dict) and given.pop("schema", SCHEMA) != SCHEMA:
            raise JsonError(f"$.schema: only version {SCHEMA} of the format is known")
        document = _read(given, "$")
    except RecursionError:
        raise JsonError(f"$: nested too deeply; a document has at most {MAX_DEPTH} levels") from None
    except JsonError:
        raise
    except ValueError as error:
        raise JsonError(f"$: {error}") from None
    if not isinstance(document, Document):
        raise JsonError(f"$: expected Document, got {type(document).__name__}")
    return document


def _is_open(metadata: Mapping[Any, Any], value: object) -> bool:
    return metadata.get("kind") is FieldKind.OPEN and isinstance(value, tuple)


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"duplicate key among {', '.join(sorted(found))}")
    return found


def _constant(text: str) -> Json:
    raise ValueError(f"{text} is not JSON")


def _read(value: Json, path: str) -> Node:
    if isinstance(value, str):
        return Text(value)
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        raise JsonError(f"{path}: a node is a string, or an object with its class as `type`")
    cls = _class(str(value["type"]), path)
    known = {item.name: item for item in fields(cls)}
    strangers = sorted(value.keys() - known.keys() - {"type"})
    if strangers:
        raise JsonError(f"{path}: {cls.__name__} has no {', '.join(strangers)}; it has {', '.join(known)}")
    build: Callable[..., Node] = cls
    values = {name: _field(known[name], given, f"{path}.{name}") for name, given in value.items() if name != "type"}
    try:
        return build(**values)
    except (TypeError, ValueError) as error:
        raise JsonError(f"{path}: {error}") from None


def _class(name: str, path: str) -> type[Node]:
    from ..ast.catalogue import CLASSES

    for cls in (Document, Element, *CLASSES):
        if cls.__name__ == name:
            return cls
    raise JsonError(f"{path}: unknown node class {name!r:.60}")


def _field(item: "Attribute[Any]", value: Json, path: str) -> object:
    if value is None or item.metadata.get("kind") is FieldKind.OPEN:
        return value
    part = part_of(item)
    if part.kind in (FieldKind.CHILDREN, FieldKind.CONTENT, FieldKind.BULLETS):
        if not isinstance(value, list):
            raise JsonError(f"{path}: expected a list")
        if part.kind is FieldKind.BULLETS:
            return value
        return [_read(one, f"{path}[{number}]") for number, one in enumerate(value)]
    if part.kind is FieldKind.CHILD:
        return _read(value, path)
    return _scalar(part, value, path)


def _scalar(part: FieldSpec, value: Json, path: str) -> object:
    try:
        if part.kind is FieldKind.COMMAND:
            return part.type.read(str(value))
        return part.type(value) if issubclass(part.type, Enum) else value
    except ValueError as error:
        raise JsonError(f"{path}: {error}") from None
