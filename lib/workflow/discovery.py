"""Discovery of workflows in source code: only modules that assign WORKFLOW are imported, and no skill is run."""

import ast
import importlib
import importlib.util
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from .core import Workflow
from .errors import placed

_PLAIN: Final = re.compile(rb"^WORKFLOW = [A-Z]\w*\(", re.MULTILINE)


class Found(NamedTuple):
    """A workflow, and the module that holds it."""

    home: str
    workflow: Workflow


class Unusable(NamedTuple):
    """A module that assigns WORKFLOW and cannot be used."""

    home: str
    reason: str


class DiscoveryError(ValueError):
    """Raised for a package with unusable workflows; the message lists them."""


def discover_workflows(package: str = "skills") -> Mapping[str, Workflow]:
    """Return all workflows of a package by name. Raises DiscoveryError if one cannot be used."""
    found, unusable = search(package)
    if unusable:
        raise DiscoveryError("\n".join(f"{fault.home}: {fault.reason}" for fault in unusable))
    return {item.workflow.name: item.workflow for item in found}


def candidates(package: str = "skills") -> tuple[str, ...]:
    """Return the modules of a package that should hold a workflow, judged by source alone. Raises DiscoveryError."""
    return tuple(_candidates(package))


def search(package: str = "skills", homes: Iterable[str] | None = None) -> tuple[list[Found], list[Unusable]]:
    """Return all workflows of a package by name, and the modules that should hold one and cannot be used.

    `homes` are the modules to read; by default all candidates.
    """
    found: dict[str, Found] = {}
    unusable: list[Unusable] = []
    for home in _candidates(package) if homes is None else homes:
        try:
            workflow: object = getattr(importlib.import_module(home), "WORKFLOW", None)
        except (Exception, SystemExit) as error:  # any error of a foreign module must not hide the others
            unusable.append(Unusable(home, placed(error, home)))
            continue
        if not isinstance(workflow, Workflow):
            continue  # another constant of the same name
        if workflow.name in found:
            first = found[workflow.name].home
            unusable.append(Unusable(home, f"duplicate workflow {workflow.name!r}; the first is in {first}"))
        elif reason := _unfit(workflow.module):
            unusable.append(Unusable(home, f"its commands run {workflow.module}, which {reason}"))
        else:
            found[workflow.name] = Found(home, workflow)
    return [found[name] for name in sorted(found)], unusable


def _unfit(module: str) -> str | None:
    """Return the reason why a script cannot be run, or None. It is compiled, not run."""
    try:
        spec = importlib.util.find_spec(module)
        compiled = getattr(spec.loader, "get_code", None) if spec else None
        if compiled:
            compiled(module)
    except SyntaxError as error:
        return f"cannot be compiled: {placed(error, module)}"
    except Exception:  # a parent package raises, or the name is invalid
        spec = None
    return None if spec else "does not exist; set `module=`"


def _candidates(package: str) -> Iterator[str]:
    """Yield the modules whose source assigns a possible workflow to WORKFLOW."""
    if not all(part.isidentifier() for part in package.split(".")):
        raise DiscoveryError(f"{package!r} is not a package name; name a package, not a folder")
    try:
        spec = importlib.util.find_spec(package)
    except ModuleNotFoundError:
        spec = None
    except Exception as error:  # a parent package may raise any error
        raise DiscoveryError(f"{package} cannot be imported: {placed(error, package)}") from None
    if spec is None:
        raise DiscoveryError(f"there is no package {package!r}")
    for root in spec.submodule_search_locations or ():
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(name for name in folders if name.isidentifier() and name != "__pycache__")
            inner = os.path.relpath(folder, root).replace(os.sep, ".")
            prefix = package if inner == "." else f"{package}.{inner}"
            for file in sorted(files):
                stem, extension = os.path.splitext(file)
                if extension == ".py" and stem.isidentifier() and _assigns_workflow(os.path.join(folder, file)):
                    yield prefix if stem == "__init__" else f"{prefix}.{stem}"


def _assigns_workflow(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError:
        return False
    if b"WORKFLOW" not in source:
        return False
    plain = _PLAIN.search(source)
    if plain and not any(source.count(quotes, 0, plain.start()) % 2 for quotes in (b'"""', b"'''")):
        return True  # the usual form; parsing takes a hundred times as long
    try:
        statements = list(_at_module_level(ast.parse(source).body))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return any(line.startswith(b"WORKFLOW") for line in source.splitlines())  # importing it reports the error
    return any(_names_workflow(statement) for statement in statements)


def _at_module_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that importing the module runs, including those inside `if` and `try`."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.If, ast.Try)):
            inner = [*statement.body, *statement.orelse]
            if isinstance(statement, ast.Try):
                inner += [*(line for handler in statement.handlers for line in handler.body), *statement.finalbody]
            yield from _at_module_level(inner)


def _names_workflow(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Assign):
        targets, value = statement.targets, statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        targets, value = [statement.target], statement.value
    else:
        return False
    named = any(isinstance(target, ast.Name) and target.id == "WORKFLOW" for target in targets)
    return named and not isinstance(value, ast.Constant)
