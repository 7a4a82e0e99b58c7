"""The first execution of plan-design."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("skills.planner.architect.plan_design_execute"))
else:
    from skills.planner.block import build
    from skills.planner.phases import PLAN_DESIGN, Part

    WORKFLOW = build(PLAN_DESIGN, Part.EXECUTE)
