"""Router of impl-code: to the first execution, or to the fix of a review's findings."""

if __name__ == "__main__":
    from lib.workflow.cli import main

    raise SystemExit(main("skills.planner.developer.exec_implement"))
else:
    from skills.planner.agents.phase_workflows import build
    from skills.planner.phases import Phase, PhaseScript

    WORKFLOW = build(Phase.IMPL_CODE, PhaseScript.ROUTE)
