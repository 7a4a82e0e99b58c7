"""The script of the tests' workflow that waits for its user."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("tests.workflows.desk.workflow"))
