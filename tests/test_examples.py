"""Examples on the pages beside the code are true."""

import re
from pathlib import Path

import pytest

from lib.workflow.ast.catalogue import CLASSES
from lib.workflow.ast.nodes import Document
from lib.workflow.core import Workflow
from lib.workflow.formatters import text, xml
from tests.subjects import ROOT

PATTERNS = re.findall(r"```python\n(.*?)```", Path(ROOT, "lib", "workflow", "README.md").read_text("utf-8"), re.DOTALL)
FROM_STRINGS = Path(ROOT, "docs", "from-strings.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```(?:\n\n```(?:xml|text)\n(.*?)```)?", FROM_STRINGS, re.DOTALL)
ROWS = re.findall(r"^\| (`format_.*?) \| (.*) \|$", FROM_STRINGS, re.MULTILINE)


@pytest.mark.parametrize("source", PATTERNS)
def test_a_pattern_builds_and_each_of_its_steps_prints(source: str) -> None:
    names: dict[str, object] = {"__name__": "pattern"}
    exec(compile(source, "lib/workflow/README.md", "exec"), names)
    workflow = names["WORKFLOW"]
    assert isinstance(workflow, Workflow)
    for step_id in workflow.steps:
        assert workflow.run(step_id, workflow.context(step_id)).blocks


def test_there_are_six_example_patterns() -> None:
    assert len(PATTERNS) == 6


def test_migration_examples_print_the_output_shown_below_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WORKFLOW_PYTHON", "python3 -I")
    names: dict[str, object] = {"__name__": "examples"}
    for source, shown in EXAMPLES:
        exec(compile(source, "docs/from-strings.md", "exec"), names)
        assert capsys.readouterr().out == shown
    assert len(EXAMPLES) == FROM_STRINGS.count("```python") == 6


def test_every_string_function_has_a_row_and_every_row_names_existing_ones() -> None:
    functions = {name for module in (xml, text) for name in vars(module) if name.startswith("format_")}
    named = [name for row, _ in ROWS for name in re.findall(r"`(\w+)`", row)]
    assert sorted(named) == sorted(functions)
    classes = {cls.__name__ for cls in (*CLASSES, Document)} | {"Dispatch"}
    for _, instead in ROWS:
        assert set(re.findall(r"`([A-Z][A-Za-z]+)`", instead)) <= classes
        assert "`" in instead
