"""`python3 -m skills.planner.cli.qr --state-dir DIR --qr-phase PHASE COMMAND`: the review of a phase."""

from lib.workflow.cli.table.run import main

if __name__ == "__main__":
    raise SystemExit(main("skills.planner.commands.review_table"))
