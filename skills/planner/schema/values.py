"""Validators of the entities' fields, for attrs. Their messages name the class and the field."""

from typing import TYPE_CHECKING, Any

from lib.workflow.util.characters import canonical

if TYPE_CHECKING:
    from attrs import Attribute


def text(instance: object, attribute: "Attribute[Any]", value: str | None) -> None:
    """Check that the text is absent, or not blank and valid in XML. Line ends are not changed."""
    if value is None or (value.isprintable() and value.strip()):
        return
    where = f"{type(instance).__name__}.{attribute.name}"
    canonical(value, where)
    if not value.strip():
        raise ValueError(f"{where}: must not be blank")


def text_or_blank(instance: object, attribute: "Attribute[Any]", value: str) -> None:
    """Check that the text is valid in XML. It may be empty while the plan is being made."""
    canonical(value, f"{type(instance).__name__}.{attribute.name}")


def texts(instance: object, attribute: "Attribute[Any]", value: tuple[str, ...]) -> None:
    """Check that no text of the list is blank."""
    for item in value:
        text(instance, attribute, item)


def count(instance: object, attribute: "Attribute[Any]", value: int) -> None:
    """Check that the number is a whole one from 1."""
    if type(value) is not int or value < 1:
        raise ValueError(f"{type(instance).__name__}.{attribute.name}: {value!r} must be a whole number of at least 1")
