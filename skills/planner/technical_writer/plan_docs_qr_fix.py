"""Fix of a review's findings on plan-docs."""

if __name__ == "__main__":
    from lib.workflow.cli import main

    raise SystemExit(main("skills.planner.technical_writer.plan_docs_qr_fix"))
else:
    from skills.planner.agents.phase_workflows import build
    from skills.planner.phases import Phase, PhaseScript

    WORKFLOW = build(Phase.PLAN_DOCS, PhaseScript.FIX)
