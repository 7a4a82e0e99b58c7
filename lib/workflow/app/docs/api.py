"""The reference of the public API, `docs/api.md`, from docstrings. `make docs` writes it."""

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from itertools import pairwise
from types import ModuleType

from ... import HOMES
from ...ast.fields import Node

HEAD = """\
# The public API

Made from docstrings by `make docs`; a test keeps it true. `lib.workflow` loads each name when it is used:

```python
from lib.workflow import Document, StepHeader, parse_xml, render_xml

page = Document([StepHeader(script="demo", step=1, total=1, title="Look")])
assert parse_xml(render_xml(page)) == page
```

Node classes have a page of their own: [nodes.md](nodes.md).
"""


def reference() -> str:
    """Return the page."""
    return "\n".join([HEAD, *_sections()])


def _sections() -> Iterator[str]:
    for home, names in HOMES.items():
        module = import_module(f"lib.workflow.{home}")
        values = {name: getattr(module, name) for name in names}
        shown = {name: value for name, value in values.items() if not _is_node(value)}
        first = (inspect.getdoc(module) or "").split("\n\n")[0].replace("\n", " ")
        if not shown:
            continue
        yield f"## {home}\n\n{first}\n"
        for name, value in shown.items():
            yield f"### {name}\n\n{_signature(name, value)}{_described(name, value)}\n"


def _is_node(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Node) and value is not Node


def _signature(name: str, value: object) -> str:
    """Return the signature of a function, or the members of an enum; empty for other values."""
    if isinstance(value, type) and issubclass(value, Enum):
        return f"One of {', '.join(f'`{member.name}`' for member in value)}.\n\n"
    if not callable(value):
        return ""
    try:
        signature = inspect.signature(value)
    except ValueError:
        return ""
    return f"```text\n{name}{_short(signature)}\n```\n\n"


def _short(signature: inspect.Signature) -> str:
    """Return the parameters without types, which the source has: a converter's type says little to a reader."""
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in signature.parameters.values()]
    shown = [each.replace(default=...) if each.default is not inspect.Parameter.empty else each for each in bare]
    return str(signature.replace(parameters=shown, return_annotation=inspect.Signature.empty)).replace(
        "=Ellipsis", "=…"
    )


def _described(name: str, value: object) -> str:
    """Return its docstring, as text: examples in it keep their lines. A class has those of its fields below."""
    if not (callable(value)):
        return next(filter(None, (_below(inspect.getsource(module)).get(name) for module in _homes(name, value))), "")
    head, *sections = re.split(r"^(?=(?:Args|Raises):\n)", inspect.getdoc(value) or "", flags=re.MULTILINE)
    said = head + "".join(map(_list, sections))
    fields = _below(inspect.getsource(value)) if isinstance(value, type) and not issubclass(value, Enum) else {}
    rows = [f"* `{key}`: {' '.join(text.split())}" for key, text in fields.items() if not key.startswith("_")]
    return "\n\n".join([said, "Fields:", "\n".join(rows)]) if rows else said


def _homes(name: str, value: object) -> Iterator[ModuleType]:
    """Yield the modules of the library that have an alias; one of them defines it."""
    loaded = [module for key, module in sorted(sys.modules.items()) if key.startswith("lib.workflow.")]
    return (module for module in loaded if vars(module).get(name) is value)


def _below(source: str) -> dict[str, str]:
    """Return the docstrings below fields or constants, by name."""
    tree = ast.parse(textwrap.dedent(source))
    body = tree.body[0].body if len(tree.body) == 1 and isinstance(tree.body[0], ast.ClassDef) else tree.body
    found: dict[str, str] = {}
    for before, after in pairwise(body):
        match before, after:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str() as text)):
                found[name] = text
            case _:
                pass
    return found


def _list(section: str) -> str:
    """Return a section of a docstring with an item for each name."""
    title, _, text = section.partition("\n")
    items = re.sub(r"^    (\w[\w, ]*): ", r"* `\1`: ", text, flags=re.MULTILINE)
    return f"{title}\n\n{re.sub(r'^ {8}', '  ', items, flags=re.MULTILINE)}"


if __name__ == "__main__":
    sys.stdout.write(reference())
