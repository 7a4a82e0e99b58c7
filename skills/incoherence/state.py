"""`python3 -m skills.incoherence.state --state-dir DIR COMMAND`: reads and changes the state of a run."""

from lib.workflow.cli.table.run import main

if __name__ == "__main__":
    raise SystemExit(main("skills.incoherence.commands.table"))
