"""Tests assert an error's class and the values that it carries; the wording of a message is open."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.subjects import ROOT
from tests.wording import carries

MOST: Final = 3
"""Maximum of plain words in a row in an assertion: enough for a term, too few for a sentence."""
PROGRAMS: Final = ("stepscript", "git", "pipx", "python", "uv")
"""Words that begin a command, which an assertion may hold as a whole."""
ASKS: Final = {"startswith", "endswith", "elided", "search", "fullmatch", "findall"}
FOLDERS: Final = sorted(
    {path.parent for path in Path(ROOT, "tests").rglob("test_*.py") if "node_modules" not in path.parts}
)


def plain_words(text: str) -> int:
    """Return how many plain words stand in a row, at most, outside of commands."""
    parts = [
        part
        for part in re.split(r"[\n:;,.()!?…]", text.replace("\\", ""))
        if part.lstrip().split(" ")[0] not in PROGRAMS
    ]
    return max(
        (len(run.split()) for part in parts for run in re.findall(r"(?<!\S)[A-Za-z]?[a-z]+(?: [a-z]+)*(?!\S)", part)),
        default=0,
    )


def asserted(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield each expression that a test looks for in a message or a page."""
    for node in ast.walk(tree):
        match node:
            case ast.keyword(arg="match", value=value):
                yield value
            case ast.Compare(left=left, ops=[ast.In()]):
                yield left
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=[first, *_]) if name in ASKS:
                yield first
            case ast.Call(func=ast.Name(id="carries"), args=[_, said]):
                yield said
            case _:
                pass


def rows_of(table: ast.expr, tables: Mapping[str, ast.expr]) -> list[ast.expr]:
    """Return the rows of a parametrised test's table, which can be a module's constant."""
    match table:
        case ast.Name(id=name) if name in tables:
            return rows_of(tables[name], tables)
        case ast.Call(func=ast.Attribute(value=inner, attr="values")):
            return rows_of(inner, tables)
        case ast.Dict(values=rows) | ast.List(elts=rows) | ast.Tuple(elts=rows):
            return rows
        case _:
            return []


def column(source: ast.AST, name: str, tables: Mapping[str, ast.expr]) -> Iterator[ast.expr]:
    """Yield the values that a table gives to a name, by `parametrize` or by `a, b = TABLE[key]`."""
    match source:
        case ast.Call(func=ast.Attribute(attr="parametrize"), args=[names, table, *_]):
            keys = re.findall(r"\w+", ast.unparse(names))
        case ast.Assign(targets=[ast.Tuple() as targets], value=ast.Subscript(value=table)):
            keys = re.findall(r"\w+", ast.unparse(targets))
        case _:
            return
    for row in rows_of(table, tables) if name in keys else ():
        match row:
            case ast.Tuple(elts=cells) | ast.Call(args=cells):
                yield from cells[keys.index(name) :][:1]
            case _:
                yield row


def sentences(path: Path) -> Iterator[str]:
    """Yield the place and text of each assertion on a sentence."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tables: dict[str, ast.expr] = {}
    for statement in tree.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                tables[name] = value
            case _:
                pass
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]:
        for looked_for in asserted(function):
            names = [node.id for node in ast.walk(looked_for) if isinstance(node, ast.Name)]
            cells = [cell for name in names for source in ast.walk(function) for cell in column(source, name, tables)]
            for node in [node for part in (looked_for, *cells) for node in ast.walk(part)]:
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and plain_words(node.value) > MOST:
                    yield f"{path.relative_to(ROOT)}:{node.lineno}: {node.value!r}"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_test_asserts_a_sentence(folder: Path) -> None:
    found = [line for path in sorted(folder.glob("test_*.py")) for line in sentences(path)]
    assert not found, "assert the value that the message carries; `…` in `carries` is any wording:\n" + "\n".join(found)


def test_sentences_are_found_and_terms_values_and_commands_are_not() -> None:
    assert plain_words("'x' is not a whole number") > MOST
    assert plain_words("it ended: stepscript is not here") <= MOST
    assert plain_words("'6' … whole number, 1 to 5; stepscript run resume all") <= MOST


def test_elided_parts_are_found_in_their_order() -> None:
    assert carries("'6' is not a number,\n1 to 5", "'6' … 1 to 5")
    assert not carries("'6' is not a number, 1 to 5", "1 to 5 … '6'")
    assert not carries("six.", "'6' … .")
