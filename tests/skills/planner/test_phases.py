"""The table of phases matches its scripts."""

import importlib
from pathlib import Path

import pytest

from lib.workflow.core import Workflow
from skills.planner.phases import RECONCILE, ROWS, PhaseScript, PhaseSpec
from tests.subjects import ROOT

SCRIPTS = [(row, part) for row in ROWS for part in PhaseScript]
BODY = """
if __name__ == "__main__":
    from lib.workflow.cli import main

    raise SystemExit(main("{module}"))
else:
    from skills.planner.agents.phase_workflows import build
    from skills.planner.phases import Phase, PhaseScript

    WORKFLOW = build(Phase.{row}, PhaseScript.{part})
"""


@pytest.mark.parametrize(("row", "part"), SCRIPTS, ids=lambda item: str(getattr(item, "phase", item)))
def test_every_script_of_the_table_is_a_module_that_builds_its_workflow(row: PhaseSpec, part: PhaseScript) -> None:
    module = row.module(part)
    workflow = importlib.import_module(module).WORKFLOW
    assert isinstance(workflow, Workflow)
    assert (workflow.name, workflow.module) == (row.name(part), module)
    source = Path(ROOT, *module.split(".")).with_suffix(".py").read_text(encoding="utf-8")
    assert source.partition("\n")[2] == BODY.format(module=module, row=row.phase.name, part=part.name)


def test_reconcile_is_the_only_script_outside_the_table() -> None:
    folders = {row.module(part).split(".")[-2] for row, part in SCRIPTS}
    there = {path for folder in folders for path in Path(ROOT, "skills", "planner", folder).glob("[!_]*.py")}
    assert {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in there} == {
        RECONCILE,
        *(row.module(part) for row, part in SCRIPTS),
    }


@pytest.mark.parametrize(
    ("stem", "steps"),
    [
        ("plan_design_execute", 6),
        ("plan_code_execute", 4),
        ("plan_docs_execute", 6),
        ("exec_implement_execute", 4),
        ("exec_docs_execute", 6),
        ("plan_design_qr_fix", 1),
        ("exec_docs_qr_fix", 1),
        ("plan_code_qr_decompose", 8),
    ],
)
def test_script_has_the_expected_steps(stem: str, steps: int) -> None:
    (found,) = [(row, part) for row, part in SCRIPTS if row.module(part).endswith(f".{stem}")]
    assert importlib.import_module(found[0].module(found[1])).WORKFLOW.total_steps == steps
