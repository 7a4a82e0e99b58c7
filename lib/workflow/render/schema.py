"""The schema of printed documents, XML Schema 1.0, generated from the node classes and a vocabulary.

The schema covers what XML Schema can express. The parser checks the rest: counts, order, one command instead of two,
references.
"""

from collections.abc import Iterator
from enum import Enum

from ..ast.catalogue import BY_TAG
from ..ast.fields import FieldKind, FieldSpec, Node, NodeSpec, declaration, tags_of
from ..ast.vocabulary import CORE, Vocabulary
from ..types import MAX_ROLE, AgentRole
from .layout import attribute, indented

ROOT = "document"
BLOCK = "block"
"""Name of the group of all elements allowed in mixed content or as a block."""


def schema(vocabulary: Vocabulary = CORE) -> str:
    """Return the schema as text."""
    known = [_element(tag, _type(tag, classes)) for tag, classes in sorted(BY_TAG.items())]
    own = [
        _element(tag, _tag("complexType", _mixed(), _ANY_ATTRIBUTE, mixed="true")) for tag in sorted(vocabulary.tags)
    ]
    every = [_tag("element", ref=tag) for tag in sorted({*BY_TAG, *vocabulary.tags})]
    block = _tag("group", _tag("choice", *every), name=BLOCK)
    root = _element(ROOT, _tag("complexType", _mixed()))
    namespace = "http://www.w3.org/2001/XMLSchema"
    return f'<xs:schema xmlns:xs="{namespace}">\n{indented(chr(10).join([root, block, *known, *own]))}\n</xs:schema>'


def _tag(kind: str, /, *items: str, **attributes: str) -> str:
    written = "".join(attribute(key, value) for key, value in attributes.items())
    body = indented("\n".join(items))
    return f"<xs:{kind}{written}>\n{body}\n</xs:{kind}>" if items else f"<xs:{kind}{written}/>"


_ANY_ATTRIBUTE = _tag("anyAttribute", namespace="##local", processContents="skip")


def _element(tag: str, *type_: str, **attributes: str) -> str:
    return _tag("element", *type_, name=tag, **attributes)


def _mixed() -> str:
    return _tag("choice", _tag("group", ref=BLOCK), minOccurs="0", maxOccurs="unbounded")


def _type(tag: str, classes: tuple[type[Node], ...], numbered: bool = False) -> str:
    """Return the type of an element. Classes that share a tag have different content but the same attributes."""
    declarations = [declaration(cls) for cls in classes]
    attributes = dict(pair for cls in classes for pair in _attributes(tag, cls))
    if numbered:
        attributes["index"] = _number("index")
    written = [attributes[name] for name in sorted(attributes)]
    if any(declared.open for declared in declarations):
        written.append(_ANY_ATTRIBUTE)
    flow = declarations[0].flow
    if flow is not None and flow.kind is FieldKind.CONTENT:
        return _tag("complexType", _mixed(), *written, mixed="true")
    if flow is not None:
        return _tag("complexType", _tag("simpleContent", _tag("extension", *written, base="xs:string")))
    bodies = [_tag("sequence", *items) for declared in declarations if (items := list(_body(declared)))]
    body = bodies if len(bodies) < 2 else [_tag("choice", *bodies)]
    return _tag("complexType", *body, *written)


def _attributes(tag: str, cls: type[Node]) -> Iterator[tuple[str, str]]:
    said = {cls.shorthand[tag][0]} if tag in cls.shorthand else set()
    declared = declaration(cls)
    for part in declared.attributes:
        if part.name not in said:
            use = "required" if part.required else "optional"
            yield part.name, _tag("attribute", _simple(part), name=part.name, use=use)
    for part in declared.body:
        if part.kind is FieldKind.COMMAND:
            yield "cmd", _tag("attribute", name="cmd", type="xs:string")
    if cls.count_of:
        yield "count", _number("count")


def _number(name: str) -> str:
    return _tag("attribute", name=name, type="xs:nonNegativeInteger", use="required")


def _simple(part: FieldSpec) -> str:
    if part.type is int:
        return _tag("simpleType", _tag("restriction", _tag("pattern", value="0|[1-9][0-9]*"), base="xs:integer"))
    if part.type is AgentRole:  # packages bring further ones
        legal = [_tag("maxLength", value=str(MAX_ROLE)), _tag("pattern", value="[a-z][a-z0-9]*(-[a-z0-9]+)*")]
        return _tag("simpleType", _tag("restriction", *legal, base="xs:string"))
    if issubclass(part.type, Enum):
        legal = [_tag("enumeration", value=str(item.value)) for item in part.type]
        return _tag("simpleType", _tag("restriction", *legal, base="xs:string"))
    return _tag("simpleType", _tag("restriction", base="xs:string"))


def _body(declared: NodeSpec) -> Iterator[str]:
    for part in declared.body:
        least = "1" if part.required and part.kind not in (FieldKind.CHILDREN, FieldKind.COMMAND) else "0"
        if part.kind is FieldKind.COMMAND:
            yield _element("cmd", type="xs:string", minOccurs="0")
        elif part.kind is FieldKind.ELEMENT:
            yield _element(part.name, _simple(part), minOccurs=least)
        elif part.wrapper:
            inner = _tag("sequence", _children(part, "unbounded"))
            yield _element(part.wrapper, _tag("complexType", inner), minOccurs="1" if part.required else "0")
        else:
            yield _children(part, "unbounded" if part.kind is FieldKind.CHILDREN else "1", least)


def _children(part: FieldSpec, most: str, least: str = "0") -> str:
    """Declare the elements of a class: by reference if they are global, else in place."""
    cls: type[Node] = part.type
    tags = tags_of(cls)
    if cls.standalone:
        elements = [_tag("element", ref=tag) for tag in tags]
    else:
        elements = [_element(tag, _type(tag, (cls,), part.numbered)) for tag in tags]
    return _tag("choice", *elements, minOccurs=least, maxOccurs=most)
