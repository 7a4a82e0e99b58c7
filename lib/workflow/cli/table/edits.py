"""Small changes of an existing value: items added to a list or removed, one text replaced by another."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from attrs import frozen

from ...util.plurals import count
from ...util.structs import Struct


class EditError(ValueError):
    """Raised for an edit that does not fit the value. The message gives the text and the number of matches."""


@frozen
class Edit(Struct):
    """Items to add to a list and items to remove from it.

    A list parameter of a handler takes edits if its type says so: `tuple[str, ...] | Edit | Unset`.
    """

    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    """Each is an item, or a part that only one item contains."""

    def of(self, before: tuple[str, ...]) -> tuple[str, ...]:
        """Return the list after the edit. An existing item is not added twice.

        Raises:
            EditError: If no item, or more than one, matches a text to remove.
        """
        left = list(before)
        for text in self.remove:
            left.remove(_meant(text, left))
        return (*left, *(text for text in dict.fromkeys(self.add) if text not in left))


def _meant(text: str, items: Iterable[str]) -> str:
    """Return the item that equals the text, or else the only one that contains it."""
    found = [item for item in items if item == text] or [item for item in items if text in item]
    if len(found) != 1:
        raise EditError(
            f"{text!r:.80} is in {count(len(found), 'item')}; give a whole item, or a part that only one has"
        )
    return found[0]


class Replacement(NamedTuple):
    """A replacement of one text by another. The old text must occur exactly once."""

    old: str
    new: str


def replaced(values: Mapping[str, object], replacements: Iterable[Replacement]) -> dict[str, object]:
    """Return the values with each replacement made in the one text, or list item, that contains the old text.

    Args:
        values: Texts and lists of texts by field; other values stay unchanged.
        replacements: Applied one after the other.

    Raises:
        EditError: If the old text does not occur exactly once in all the values.
    """
    result = dict(values)
    for old, new in replacements:
        count = sum(_count(value, old) for value in result.values())
        if count != 1:
            times = "does not occur" if count == 0 else f"occurs {count} times"
            more = "copy it from the text as it is now" if count == 0 else "give more of the text around it"
            raise EditError(f"{old!r:.80} {times}; {more}")
        result = {name: _put(value, old, new) for name, value in result.items()}
    return result


def _count(value: object, old: str) -> int:
    if isinstance(value, tuple):
        return sum(_count(item, old) for item in value)
    return value.count(old) if isinstance(value, str) else 0


def _put(value: object, old: str, new: str) -> object:
    if isinstance(value, tuple):
        return tuple(_put(item, old, new) for item in value)
    return value.replace(old, new) if isinstance(value, str) else value
