"""Examples in the README are true."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

from lib.workflow.app.main import stepscript
from lib.workflow.command.quoting import quote
from tests.subjects import ROOT

README = Path(ROOT, "README.md").read_text(encoding="utf-8")
BIN = os.path.dirname(sys.executable)


def test_the_line_that_the_readme_names_lets_one_type_stepscript() -> None:
    (line,) = re.findall(r"`(\. \.venv/bin/activate)`", README)
    script = f"{line.replace('.venv', quote(os.path.dirname(BIN)))} && command -v stepscript"
    run = subprocess.run(
        ["/bin/sh", "-c", script], capture_output=True, encoding="utf-8", env={"PATH": "/bin"}, check=True
    )
    assert run.stdout == f"{BIN}/stepscript\n"


@pytest.mark.parametrize(
    "page", ["README.md", *sorted(f"docs/{file.name}" for file in Path(ROOT, "docs").glob("*.md"))]
)
def test_pages_for_users_show_commands_that_an_installed_tool_has(page: str) -> None:
    text = Path(ROOT, page).read_text(encoding="utf-8")
    assert "python3 -m skills" not in text  # printed pages have `python3 -I -m`
    for word in re.findall(r"(?:`|\$ )stepscript ([a-z][a-z-]*)", text):
        assert word in stepscript.list_commands(click.Context(stepscript, **stepscript.context_settings)), word


def test_every_part_of_the_library_is_in_the_layer_drawing_and_its_contract() -> None:
    page = Path(ROOT, "ARCHITECTURE.md").read_text(encoding="utf-8")
    drawing = page.partition("## Layers of `lib/workflow`")[2].partition("```text\n")[2].partition("```")[0]
    drawn = [name for line in drawing.splitlines() for name in _rooms(line)]
    parts = [path for path in Path(ROOT, "lib", "workflow").iterdir() if path.suffix == ".py" or [*path.glob("*.py")]]
    assert sorted(drawn) == sorted(path.stem for path in parts if not path.name.startswith("_"))
    contracts = tomllib.loads(Path(ROOT, "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each["name"] == "The layers of lib.workflow")
    assert drawn == [room for layer in layers for room in layer.split(" | ")]


def _rooms(line: str) -> list[str]:
    """Return the rooms in a line of the drawing: words before the column of remarks."""
    return re.findall(r"[a-z]+", line[:24])
