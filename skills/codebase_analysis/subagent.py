"""The script of one explorer: `python3 -m skills.codebase_analysis.subagent --step 1`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("skills.codebase_analysis.subagent_workflow"))
