"""The script of the survey."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("tests.workflows.survey.workflow"))
