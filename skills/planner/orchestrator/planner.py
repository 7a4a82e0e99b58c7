"""The planner: fourteen steps from a request to an approved plan."""

if __name__ == "__main__":
    from lib.workflow.cli import main

    raise SystemExit(main("skills.planner.orchestrator.planner"))
else:
    from skills.planner.orchestrator.planner_steps import planner

    WORKFLOW = planner()
