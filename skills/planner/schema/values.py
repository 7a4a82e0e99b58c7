"""What the entities' fields may hold, as attrs validators; each names class and field in what it says."""

from typing import TYPE_CHECKING, Any

from lib.workflow.util.characters import canonical

if TYPE_CHECKING:
    from attrs import Attribute


def text(instance: object, attribute: "Attribute[Any]", value: str | None) -> None:
    """The text says something and holds only what XML can carry, or is absent. Its line ends stay as they are."""
    if value is None or (value.isprintable() and value.strip()):
        return
    where = f"{type(instance).__name__}.{attribute.name}"
    canonical(value, where)
    if not value.strip():
        raise ValueError(f"{where}: must not be blank")


def text_or_blank(instance: object, attribute: "Attribute[Any]", value: str) -> None:
    """The text holds only what XML can carry; it may be empty while the plan is being made."""
    canonical(value, f"{type(instance).__name__}.{attribute.name}")


def texts(instance: object, attribute: "Attribute[Any]", value: tuple[str, ...]) -> None:
    """Every text of the list says something."""
    for item in value:
        text(instance, attribute, item)


def count(instance: object, attribute: "Attribute[Any]", value: int) -> None:
    """The number is a whole one from 1."""
    if type(value) is not int or value < 1:
        raise ValueError(f"{type(instance).__name__}.{attribute.name}: {value!r} must be a whole number from 1")
