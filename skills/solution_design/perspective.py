"""The script of one perspective, for the agents that step 3 of the solution design launches."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("skills.solution_design.perspective_workflow"))
