"""A project with its own packages called `lib` and `skills`: neither it nor our command imports the wrong one."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import pytest

from lib.workflow.command.origins import needs_pythonpath, origins
from stepscript import names
from tests.subjects import ROOT

BIN = os.path.dirname(sys.executable)
RAISES = "raise SystemExit('a module of the project was imported')\n"
OWN = {
    "lib/__init__.py": "MINE = True\n",
    "lib/tool.py": "WORD = 'mine'\n",
    "skills/__init__.py": "MINE = True\n",
    "tests/test_own.py": """
import sys
import lib
import lib.tool
import skills


def test_it_is_our_own():
    assert lib.MINE and skills.MINE and lib.tool.WORD == "mine"
""",
}
"""A project that does not use stepscript."""
SKILL = {
    "my_skills/__init__.py": "",
    "my_skills/tidy.py": """
from lib.workflow.core import Outcome, StepDef, Workflow

WORKFLOW = Workflow(
    "tidy", StepDef(id="a", title="A", actions="x", next={Outcome.OK: None}), module="my_skills.run", description="Tidy."
)
""",
    "my_skills/run.py": """
from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("my_skills.tidy"))
""",
    "conftest.py": "stepscript_packages = 'my_skills'\n",
}


def project(folder: Path, *parts: Mapping[str, str]) -> Path:
    """Write the files of a project."""
    for path, text in {name: text for part in parts for name, text in part.items()}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def run(words: list[str], folder: Path, status: int = 0, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run words in a folder; they end with the status."""
    environ = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", **environment}
    done = subprocess.run(words, cwd=folder, env=environ, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == status, done.stdout + done.stderr
    return done


PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]


@pytest.mark.parametrize("pythonpath", ["", "."])
def test_a_project_with_packages_of_our_names_is_tested_with_its_own(pythonpath: str, tmp_path: Path) -> None:
    run(PYTEST, project(tmp_path, OWN), PYTHONPATH=pythonpath)


def test_the_plugin_imports_nothing_of_ours_before_a_project_asks_for_the_proof(tmp_path: Path) -> None:
    code = """
import sys


def test_nothing_is_imported():
    assert "stepscript.plugin" in sys.modules
    assert not [name for name in sys.modules if name.split(".")[0] in ("lib", "skills", "attrs", "attr")]
"""
    run([sys.executable, "-P", *PYTEST[1:]], project(tmp_path, {"test_it.py": code}))


@pytest.mark.parametrize("own", [{}, OWN, {"lib.py": "MINE = True\n"}], ids=["no namesake", "packages", "a module"])
def test_own_skills_are_proved_beside_packages_of_our_names(own: Mapping[str, str], tmp_path: Path) -> None:
    done = run(PYTEST, project(tmp_path, own, SKILL))
    assert "stepscript proof of my_skills: 1 workflow: 1 " in done.stdout


def test_project_that_shadows_our_library_is_pointed_to_validate(tmp_path: Path) -> None:
    done = run(PYTEST, project(tmp_path, OWN, SKILL, {"lib/workflow.py": ""}), status=2)
    assert "stepscript validate PACKAGE" in done.stdout


HOSTILE = dict.fromkeys(("lib/__init__.py", "skills/__init__.py", "json.py", "click.py", "attr/__init__.py"), RAISES)


@pytest.mark.parametrize("pythonpath", ["", ".", f".{os.pathsep}{ROOT}", f"{ROOT}{os.pathsep}."])
def test_printed_commands_run_in_a_folder_of_hostile_names(pythonpath: str, tmp_path: Path) -> None:
    folder = project(tmp_path, HOSTILE)
    run(["stepscript", "list"], folder, PYTHONPATH=pythonpath)
    shown = run(["stepscript", "show", "problem-analysis", "--json"], folder, PYTHONPATH=pythonpath).stdout
    assert run(["/bin/sh", "-c", json.loads(shown)["start"]], folder, PYTHONPATH=pythonpath).stdout.startswith(
        "<step_header"
    )


@pytest.mark.parametrize(
    ("words", "relative"),
    [("validate my_skills", False), ("validate my_skills", True), ("rehearse tidy --processes", False)],
)
def test_skills_that_only_pythonpath_leads_to_run(words: str, relative: bool, tmp_path: Path) -> None:
    metadata = {
        "mine-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n",
        "mine-1.0.dist-info/entry_points.txt": "[stepscript.skills]\nmine = my_skills\n",
    }
    folder = project(tmp_path, SKILL, metadata)
    run(["stepscript", *words.split()], folder, PYTHONPATH="." if relative else str(folder))


def test_the_module_is_the_command(tmp_path: Path) -> None:
    words = ["list", "--json"]
    assert (
        run([sys.executable, "-m", "stepscript", *words], tmp_path).stdout
        == run(["stepscript", *words], tmp_path).stdout
    )


def test_another_distributions_package_is_not_taken_for_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(project(tmp_path, HOSTILE)))
    for name in [name for name in sys.modules if name.partition(".")[0] in names.NAMES]:
        monkeypatch.delitem(sys.modules, name)
    names.claim()
    assert import_module("lib.workflow.errors").__file__ == os.path.join(ROOT, "lib", "workflow", "errors.py")
    assert import_module("skills.agents").__file__ == os.path.join(ROOT, "skills", "agents", "__init__.py")


def test_a_package_needs_pythonpath_only_where_nothing_else_leads_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(project(tmp_path, {"alone/__init__.py": ""})))
    assert origins("alone") == (str(tmp_path),)
    assert needs_pythonpath("alone", f"/elsewhere{os.pathsep}{tmp_path}")
    assert not needs_pythonpath("alone", "/elsewhere")
    assert not needs_pythonpath("lib", ROOT)
    assert not needs_pythonpath("nowhere", ROOT)
    assert not needs_pythonpath("sys", ROOT)
