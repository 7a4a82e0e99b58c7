"""The script of the codebase analysis: `python3 -m skills.codebase_analysis.analyze --step 1`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("skills.codebase_analysis.workflow"))
