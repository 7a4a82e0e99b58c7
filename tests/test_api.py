"""The public API: every name loads in a fresh process, and type checkers see the same names."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import lib.workflow
from lib.workflow import HOMES
from tests.subjects import ROOT

NAMES = [(home, name) for home, names in HOMES.items() for name in names]


@pytest.mark.parametrize(("home", "name"), NAMES)
def test_a_public_name_is_that_of_its_module(home: str, name: str) -> None:
    assert getattr(lib.workflow, name) is getattr(import_module(f"lib.workflow.{home}"), name)


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(ROOT, "lib", "workflow", "__init__.py").read_text())
    documented = {
        (node.module, each.asname)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level
        for each in node.names
    }
    assert documented == set(NAMES)
    assert sorted(name for _, name in NAMES) == dir(lib.workflow)


def test_a_name_that_is_not_public_is_refused() -> None:
    with pytest.raises(AttributeError, match="nobody"):
        _ = lib.workflow.nobody  # type: ignore[attr-defined]  # what the test is about


def test_the_package_loads_nothing_by_itself() -> None:
    script = "import sys, lib.workflow; print([name for name in sys.modules if name.startswith('lib.')])"
    ran = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    assert ran.stdout.strip() == "['lib.workflow']"
