"""The script of an agent that follows one line of inquiry: `python3 -m skills.deepthink.subagent --step 1`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("skills.deepthink.subagent_workflow"))
