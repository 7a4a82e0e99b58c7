"""Division of the review of plan-design into items."""

if __name__ == "__main__":
    from lib.workflow.cli import main

    raise SystemExit(main("skills.planner.quality_reviewer.plan_design_qr_decompose"))
else:
    from skills.planner.agents.phase_workflows import build
    from skills.planner.phases import Phase, PhaseScript

    WORKFLOW = build(Phase.PLAN_DESIGN, PhaseScript.DECOMPOSE)
