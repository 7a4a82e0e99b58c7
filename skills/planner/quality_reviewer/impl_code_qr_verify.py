"""Verification of items of the review of impl-code."""

if __name__ == "__main__":
    from lib.workflow.cli import main

    raise SystemExit(main("skills.planner.quality_reviewer.impl_code_qr_verify"))
else:
    from skills.planner.agents.phase_workflows import build
    from skills.planner.phases import Phase, PhaseScript

    WORKFLOW = build(Phase.IMPL_CODE, PhaseScript.VERIFY)
