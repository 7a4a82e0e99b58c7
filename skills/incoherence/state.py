"""`python3 -m skills.incoherence.state --state-dir DIR COMMAND`: what a run has found, decided and changed."""

from lib.workflow.cli.table.run import main

if __name__ == "__main__":
    raise SystemExit(main("skills.incoherence.commands.table"))
