"""JSON output of commands: one object, with the version of the format under `schema`."""

import json
from collections.abc import Mapping
from typing import Final

from .characters import plain_json

SCHEMA: Final = 1
"""Version of the format; it changes if a key is renamed, removed or gets another meaning."""


def json_text(fields: Mapping[str, object], one_line: bool = False) -> str:
    """Return a JSON object: the version of the format, then the fields.

    Args:
        fields: The content, by key.
        one_line: True for one object of several.
    """
    document = {"schema": SCHEMA, **fields}
    return plain_json(json.dumps(document, ensure_ascii=False, indent=None if one_line else 2))


def with_schema(line: str) -> str:
    """Return a JSON object that is one line already, such as a line of a journal, with the version of the format."""
    return f'{{"schema": {SCHEMA}, {line.removeprefix("{")}'


def json_error(
    status: int, code: str, message: str, target: str = "", fix: str = "", more: Mapping[str, object] | None = None
) -> str:
    """Return an error as one line.

    Args:
        status: The exit status.
        code: A fixed word for programs.
        message: The reason, for people.
        target: What is refused.
        fix: What to do instead.
        more: Further fields of this code.
    """
    fields = {"status": status, "code": code, "target": target, "message": message, "fix": fix, **(more or {})}
    return json_text({"error": {name: value for name, value in fields.items() if value != ""}}, one_line=True)
