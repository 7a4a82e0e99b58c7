"""`python3 -m skills.planner.cli.qr --state-dir DIR --qr-phase PHASE COMMAND`: reads and changes a review."""

from lib.workflow.cli.table.run import main

if __name__ == "__main__":
    raise SystemExit(main("skills.planner.commands.review_table"))
