"""The script of the agents that answer the questions: `python3 -m skills.decision_critic.subagent --step 1`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("skills.decision_critic.subagent_workflow"))
