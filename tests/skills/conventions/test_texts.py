"""The conventions by name, and all code that asks for one."""

import ast
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from lib.workflow.errors import WorkflowError
from skills.conventions.texts import convention_names, get_convention
from tests.subjects import ROOT

MAX_CHARACTERS = 5_000
"""Most characters of a convention, because it is embedded in prompts."""


def calls(source: str, where: str) -> Iterator[str]:
    """Yield the names that a module's source asks for. Raises ValueError for a call without a literal name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and any(
            name.name == "get_convention" and name.asname for name in node.names
        ):
            raise ValueError(f"{where}:{node.lineno}: get_convention under another name cannot be looked up")
        called = node.func if isinstance(node, ast.Call) else None
        name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
        if isinstance(node, ast.Call) and name == "get_convention":
            first = node.args[0] if len(node.args) == 1 and not node.keywords else None
            if not (isinstance(first, ast.Constant) and isinstance(first.value, str)):
                raise ValueError(f"{where}:{node.lineno}: write the convention's name as a literal")
            yield first.value


def test_the_conventions_of_the_architecture_are_there() -> None:
    assert convention_names() == (
        "diff-format",
        "documentation",
        "intent-markers",
        "severity",
        "structural",
        "temporal",
    )


@pytest.mark.parametrize("name", convention_names())
def test_a_convention_is_a_page_with_a_title_that_fits_into_a_prompt(name: str) -> None:
    text = get_convention(name)
    assert text.startswith("# ")
    assert len(text) < MAX_CHARACTERS


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("diff_format", "diff-format"),
        ("Severity", "severity"),
        ("temporal.md", "temporal"),
        ("../agents/explore", None),
        ("", None),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(name: str, near: str | None) -> None:
    with pytest.raises(WorkflowError) as caught:
        get_convention(name)
    assert repr(name) in str(caught.value)
    assert (repr(near) if near else "diff-format, ") in str(caught.value)


def test_every_convention_asked_for_in_the_code_exists() -> None:
    asked: list[str] = []
    for top in ("lib", "skills"):
        for path in Path(ROOT, top).rglob("*.py"):
            asked += calls(path.read_text(encoding="utf-8"), str(path))
    assert set(asked) <= set(convention_names())


@pytest.mark.parametrize(
    "source",
    [
        "get_convention(name)",
        "texts.get_convention(f'{x}')",
        "get_convention(name='severity')",
        "get_convention()",
        "from skills.conventions.texts import get_convention as get",
    ],
)
def test_a_call_that_hides_its_name_is_an_error(source: str) -> None:
    with pytest.raises(ValueError, match="m:1: "):
        list(calls(source, "m"))


def test_a_literal_is_found_wherever_it_is_called() -> None:
    assert list(calls("f(texts.get_convention('a'), get_convention('b'))", "m")) == ["a", "b"]


def test_the_sample_of_the_diff_format_applies(tmp_path: Path) -> None:
    lines = re.findall(r"^    (.*)$", get_convention("diff-format"), re.MULTILINE)
    target = tmp_path / lines[1].removeprefix("+++ b/")
    os.makedirs(target.parent)
    target.write_text("".join(f"{line[1:]}\n" for line in lines[3:] if line.startswith(" ")))
    diff = "".join(f"{line}\n" for line in lines)
    subprocess.run(["git", "apply", "-"], input=diff, encoding="utf-8", cwd=tmp_path, check=True)
    assert target.read_text() == "".join(f"{line[1:]}\n" for line in lines[3:])
