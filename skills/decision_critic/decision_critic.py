"""The script of the decision critic: `python3 -m skills.decision_critic.decision_critic --step 1 --decision '…'`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("skills.decision_critic.workflow"))
