"""Report of the last step: the result of each candidate, and the reason if it has no rule."""

from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.command import Command, flags
from lib.workflow.testing.inprocess import run_here
from skills.incoherence.due import MODULE, STEPS
from skills.incoherence.files import run_store
from skills.incoherence.record import Candidate, Found, Run, Verdict
from skills.incoherence.staging import begin
from skills.incoherence.standing import Progress, Standing

PAIR = Found(fact="How large?", left="a.md:1", left_says="5", right="b.py:2", right_says="4")
JUDGED = Candidate(id="C-001", dimension="limits", found=PAIR, standing=Standing.SELECTED, evidence="seen")
CANDIDATES = (
    evolve(JUDGED, verdict=Verdict.COHERENT, reason="staff alone"),
    Candidate(id="C-002", dimension="limits", found=PAIR, standing=Standing.DROPPED, why="without effect"),
)


def few(run: Run) -> tuple[Run, None]:
    """Return the run with only these candidates, and without questions."""
    return evolve(run, candidates=CANDIDATES, questions=(), tasks=()), None


def test_candidate_without_a_rule_is_reported_with_its_reason(tmp_path: Path) -> None:
    begin("close", str(tmp_path))
    run_store(str(tmp_path)).change(few)
    ran = run_here(Command(MODULE, flags({"step": STEPS.index("close") + 1, "state_dir": str(tmp_path)})))
    printed = ran.out
    assert ran.status == 0, ran.out + ran.errors
    (line,) = [line for line in printed.splitlines() if "C-001" in line]
    assert line.endswith("staff alone")
    assert "C-002" in printed


@pytest.mark.parametrize("progress", [Progress.ACCEPTED, Progress.FAILED])
def test_report_names_the_block_about_restored_files_only_after_a_failed_task(
    tmp_path: Path, progress: Progress
) -> None:
    begin("close", str(tmp_path))

    def ended(run: Run) -> tuple[Run, None]:
        first, *rest = run.tasks
        return evolve(run, tasks=(evolve(first, progress=progress), *rest)), None

    run_store(str(tmp_path)).change(ended)
    ran = run_here(Command(MODULE, flags({"step": STEPS.index("close") + 1, "state_dir": str(tmp_path)})))
    assert ("STATE" in ran.out) is (progress is Progress.FAILED)
