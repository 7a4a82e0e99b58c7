"""The first execution of plan-code."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("skills.planner.developer.plan_code_execute"))
else:
    from skills.planner.block import build
    from skills.planner.phases import PLAN_CODE, Part

    WORKFLOW = build(PLAN_CODE, Part.EXECUTE)
