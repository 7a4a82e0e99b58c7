"""Search for the parts of an approved plan that are already done, before its first wave."""

if __name__ == "__main__":
    from lib.workflow.cli import main

    raise SystemExit(main("skills.planner.quality_reviewer.exec_reconcile"))
else:
    from skills.planner.agents.reconcile import reconcile

    WORKFLOW = reconcile()
