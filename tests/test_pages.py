"""What the pages beside the code show is what happens."""

import re
from pathlib import Path

import pytest

from lib.workflow.core import Workflow
from tests.subjects import ROOT

PATTERNS = re.findall(r"```python\n(.*?)```", Path(ROOT, "lib", "workflow", "README.md").read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("source", PATTERNS)
def test_a_pattern_builds_and_each_of_its_steps_prints(source: str) -> None:
    names: dict[str, object] = {"__name__": "pattern"}
    exec(compile(source, "lib/workflow/README.md", "exec"), names)
    workflow = names["WORKFLOW"]
    assert isinstance(workflow, Workflow)
    for step_id in workflow.steps:
        assert workflow.run(step_id, workflow.context(step_id)).blocks


def test_there_is_an_example_of_each_of_the_five_patterns_of_the_specification() -> None:
    assert len(PATTERNS) == 5
