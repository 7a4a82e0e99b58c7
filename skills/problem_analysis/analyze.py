"""The script of the problem analysis: `python3 -m skills.problem_analysis.analyze --step 1`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("skills.problem_analysis.workflow"))
