"""Verification of items of the review of plan-docs."""

if __name__ == "__main__":
    from lib.workflow.cli import main

    raise SystemExit(main("skills.planner.quality_reviewer.plan_docs_qr_verify"))
else:
    from skills.planner.agents.phase_workflows import build
    from skills.planner.phases import Phase, PhaseScript

    WORKFLOW = build(Phase.PLAN_DOCS, PhaseScript.VERIFY)
