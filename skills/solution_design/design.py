"""The script of the solution design: `python3 -m skills.solution_design.design --step 1`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("skills.solution_design.workflow"))
