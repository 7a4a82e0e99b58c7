"""The executor: ten steps that execute an approved plan, wave by wave."""

if __name__ == "__main__":
    from lib.workflow.cli import main

    raise SystemExit(main("skills.planner.orchestrator.executor"))
else:
    from skills.planner.orchestrator.executor_steps import executor

    WORKFLOW = executor()
