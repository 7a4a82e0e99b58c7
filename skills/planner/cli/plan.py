"""`python3 -m skills.planner.cli.plan --state-dir DIR COMMAND`: reads and changes the plan of a run."""

from lib.workflow.cli.table.run import main

if __name__ == "__main__":
    raise SystemExit(main("skills.planner.commands.plan_table"))
