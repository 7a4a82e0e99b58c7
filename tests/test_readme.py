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
BLOCKS = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
GUIDE = Path(ROOT, "docs", "workflows.md").read_text(encoding="utf-8")
CODE = dict(re.findall(r"`(skills/my_skill/\w+\.(?:py|md))`[^`]*?```\w+\n(.*?)```", GUIDE, re.DOTALL))
BIN = os.path.dirname(sys.executable)


@pytest.mark.parametrize(("command", "shown"), BLOCKS)
def test_a_command_prints_what_the_readme_shows(command: str, shown: str) -> None:
    environment = {"PATH": f"{BIN}:{os.environ['PATH']}", "WORKFLOW_PYTHON": "python3 -I"}
    run = subprocess.run(["/bin/sh", "-c", command], capture_output=True, encoding="utf-8", env=environment, check=True)
    pattern = re.escape(shown).replace(re.escape("[...]\n"), "(?:.*\n)*")
    assert re.fullmatch(pattern, run.stdout)


def test_the_line_that_the_readme_names_lets_one_type_stepscript() -> None:
    (line,) = re.findall(r"`(\. \.venv/bin/activate)`", README)
    script = f"{line.replace('.venv', quote(os.path.dirname(BIN)))} && command -v stepscript"
    run = subprocess.run(
        ["/bin/sh", "-c", script], capture_output=True, encoding="utf-8", env={"PATH": "/bin"}, check=True
    )
    assert run.stdout == f"{BIN}/stepscript\n"


def test_the_readme_shows_commands() -> None:
    assert len(BLOCKS) == 4


def test_a_command_that_the_readme_shows_is_one_that_another_test_runs() -> None:
    shown = re.findall(r"^```sh\n.*?^```$", README, re.MULTILINE | re.DOTALL)
    pages = "".join(Path(ROOT, "docs", f"{name}-commands.md").read_text(encoding="utf-8") for name in ("plan", "qr"))
    assert [block for block in shown if block not in pages] == []
    assert shown


@pytest.mark.parametrize(
    "page", ["README.md", *sorted(f"docs/{file.name}" for file in Path(ROOT, "docs").glob("*.md"))]
)
def test_pages_for_users_show_commands_that_an_installed_tool_has(page: str) -> None:
    text = Path(ROOT, page).read_text(encoding="utf-8")
    assert "python3 -m skills" not in text  # printed pages have `python3 -I -m`
    for word in re.findall(r"(?:`|\$ )stepscript ([a-z][a-z-]*)", text):
        assert word in stepscript.list_commands(click.Context(stepscript)), word


def test_every_part_of_the_library_is_in_the_layer_drawing_and_its_contract() -> None:
    page = Path(ROOT, "ARCHITECTURE.md").read_text(encoding="utf-8")
    drawing = page.partition("## Layers of `lib/workflow`")[2].partition("\n## ")[0]
    drawn = [name for line in re.findall(r"^    (\S.*)$", drawing, re.MULTILINE) for name in _rooms(line)]
    parts = [path for path in Path(ROOT, "lib", "workflow").iterdir() if path.suffix == ".py" or [*path.glob("*.py")]]
    assert sorted(drawn) == sorted(path.stem for path in parts if not path.name.startswith("_"))
    contracts = tomllib.loads(Path(ROOT, "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each["name"] == "The layers of lib.workflow")
    assert drawn == [room for layer in layers for room in layer.split(" | ")]


def _rooms(line: str) -> list[str]:
    """Return the rooms in a line of the drawing: words before the column of remarks."""
    return re.findall(r"[a-z]+", line[:28])


def test_the_workflow_in_the_guide_runs(tmp_path: Path) -> None:
    prompts = re.search(r"```markdown\n(.*?)```", GUIDE, re.DOTALL)
    assert prompts
    skill = tmp_path / "my_skill"
    skill.mkdir()
    (skill / "__init__.py").touch()
    files = {**CODE, "skills/my_skill/prompts.md": prompts[1]}
    for name, text in files.items():
        (tmp_path / name.removeprefix("skills/")).write_text(text.replace("skills.my_skill", "my_skill"))
    words = ["-P", "-m", "my_skill.run", "--step", "1", "--iteration", "3"]
    environment = {"PYTHONPATH": str(tmp_path)}
    run = subprocess.run([sys.executable, *words], capture_output=True, encoding="utf-8", env=environment, check=True)
    assert "Round 3 of 3." in run.stdout
    assert "if_pass" in run.stdout
    assert "iterate" not in run.stdout
