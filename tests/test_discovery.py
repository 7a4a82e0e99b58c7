"""Discovery: workflows are found by reading source, and a broken module hides no other."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lib.workflow.core import Workflow
from lib.workflow.discovery import DiscoveryError, discover_workflows, search
from tests.wording import carries

GOOD = """\
from lib.workflow.core import Outcome, StepDef, Workflow

WORKFLOW{annotation} = Workflow(
    "{name}",
    StepDef(id="a", title="A", actions="x", next={{Outcome.OK: None}}),
    module="{module}",
)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Create an empty package `found_here` on the import path."""
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = tmp_path / "found_here"
    folder.mkdir()
    (folder / "__init__.py").touch()
    yield folder
    for name in [name for name in sys.modules if name.startswith("found_here")]:
        del sys.modules[name]


def good(name: str = "good", module: str = "found_here", annotation: str = "") -> str:
    return GOOD.format(name=name, module=module, annotation=annotation)


def test_workflows_are_found_at_any_depth_and_by_name(package: Path) -> None:
    inner = package / "inner"
    inner.mkdir()
    (inner / "__init__.py").write_text(good("b"))
    (package / "flow.py").write_text(good("a", annotation=": Workflow"))
    workflows = discover_workflows("found_here")
    assert list(workflows) == ["a", "b"]
    assert all(isinstance(workflow, Workflow) for workflow in workflows.values())


def test_module_that_assigns_no_workflow_is_not_imported(package: Path) -> None:
    bomb = "raise SystemExit('imported')\n"
    (package / "script.py").write_text(f"{bomb}def f():\n    WORKFLOW = 1\n")
    (package / "named.py").write_text(f"WORKFLOW = 'executor'\n{bomb}")
    (package / "comment.py").write_text(f"# WORKFLOW\n{bomb}OTHER: int = 1\nWORKFLOW: str\n")
    (package / "not-a-module.py").write_text(good())
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "old.py").write_text(good())
    assert search("found_here") == ([], [])


def test_workflow_within_a_condition_is_found_and_a_dangling_link_is_ignored(package: Path) -> None:
    inner = "\n".join(f"    {line}" for line in good().splitlines())
    (package / "guarded.py").write_text(f"try:\n    pass\nexcept OSError:\n    pass\nelse:\n  if True:\n{inner}\n")
    (package / "old.py").symlink_to(package / "nowhere.py")
    (package / "long.py").write_text(f"WORKFLOWS = {'-' * 100_000}1\n")
    assert [item.home for item in search("found_here")[0]] == ["found_here.guarded"]


def test_constant_that_is_not_a_workflow_is_ignored(package: Path) -> None:
    (package / "other.py").write_text("WORKFLOW = ['a', 'list']\n")
    assert search("found_here") == ([], [])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("\nWORKFLOW = Workflow(\n", "{path}:2: SyntaxError: "),
        ("WORKFLOW = undefined_name()\n", "{path}:1: NameError: name 'undefined_name' is not defined"),
        ("raise SystemExit(0)\nWORKFLOW = f()\n", "{path}:1: SystemExit: 0"),
        (good(module=".x"), "{path}:3: WorkflowError: workflow good: module '.x'"),
        (good().replace("OK: None", "OK: 'b'"), "{path}:3: WorkflowError: workflow good: step a: ok … 'b'"),
        (good(module="found_here.nothing"), "found_here.nothing"),
        (good(module="nowhere.nothing"), "nowhere.nothing"),
        (
            good(module="found_here.torn"),
            "found_here.torn … {torn}:3: SyntaxError",
        ),
        (good("first"), "'first' … found_here.a_first"),
    ],
)
def test_unusable_module_is_named_and_does_not_hide_others(package: Path, text: str, says: str) -> None:
    (package / "a_first.py").write_text(good("first"))
    (package / "broken.py").write_text(text)
    (package / "torn.py").write_text("\n\nif:\n")
    found, unusable = search("found_here")
    assert [item.home for item in found] == ["found_here.a_first"]
    assert [fault.home for fault in unusable] == ["found_here.broken"]
    assert carries(unusable[0].reason, says.format(path=package / "broken.py", torn=package / "torn.py"))
    with pytest.raises(DiscoveryError, match=r"^found_here\.broken: "):
        discover_workflows("found_here")


def test_a_package_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(DiscoveryError, match="'no_such_package'"):
        search("no_such_package")
    with pytest.raises(DiscoveryError, match=r"'no\.such\.package'"):
        search("no.such.package")
