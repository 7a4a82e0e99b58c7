"""Local names of a batch: `"as": "limit"` names the entity of a request; `"$limit"` is its id in later requests."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final, TypeVar

from ...util.suggest import nearest
from .arguments import REFERENCE, Argument, Values
from .edits import Edit
from .requests import Request, RequestError
from .rows import Row

H = TypeVar("H")

MAX_NAME: Final = 40


def check_name(value: object, taken: Collection[str], row: Row[H]) -> str:
    """Return the local name of a request. Raises RequestError if it is not legal, or is taken."""
    said = {"name": f"{value!r:.60}"}
    if not row.changes or not any(argument.key == "id" or argument.flag.ref for argument in row.arguments.values()):
        raise RequestError('"as": this command creates nothing that has an id; leave it out', **said)
    if not isinstance(value, str) or not _is_name(value):
        raise RequestError('"as": {name} is not a name; use letters, digits, - and _, and start with a letter', **said)
    if value in taken:
        raise RequestError('"as": {name} is taken; choose another name', **said)
    return value


def _is_name(text: str) -> bool:
    plain = text.replace("-", "").replace("_", "")
    return plain.isascii() and plain.isalnum() and text[0].isalpha() and len(text) <= MAX_NAME


def check_references(request: Request[H], known: Collection[str]) -> None:
    """Raise RequestError for a reference to a name that no earlier request gives."""
    for argument, text in _references(request):
        name = text.partition(REFERENCE)[2]
        if name not in known:
            near = nearest(name, known)
            hint = f"did you mean {REFERENCE}{near}?" if near else 'name it there with "as"'
            template = f"{{{argument.key}}}: no earlier request is named {{name}}; {{hint}}"
            raise RequestError(template, name=f"{name!r:.60}", hint=hint)


def resolved(request: Request[H], ids: Mapping[str, str]) -> Values:
    """Return the values of the request with each reference replaced by its id."""

    def one(text: object) -> object:
        if not isinstance(text, str) or REFERENCE not in text:
            return text
        before, _, name = text.partition(REFERENCE)
        return before + ids[name]

    def every(value: object) -> object:
        if isinstance(value, Edit):
            return Edit(tuple(map(str, map(one, value.add))), tuple(map(str, map(one, value.remove))))
        return tuple(map(one, value)) if isinstance(value, tuple) else one(value)

    takes = {argument.name for argument in request.row.arguments.values() if argument.flag.ref}
    return {name: every(value) if name in takes else value for name, value in request.values.items()}


def _references(request: Request[H]) -> Iterator[tuple[Argument, str]]:
    """Yield the texts of a request that contain a reference."""
    for argument in request.row.arguments.values():
        if argument.flag.ref and argument.name in request.values:
            value = request.values[argument.name]
            texts = (*value.add, *value.remove) if isinstance(value, Edit) else value
            for text in texts if isinstance(texts, tuple) else (texts,):
                if isinstance(text, str) and REFERENCE in text:
                    yield argument, text
