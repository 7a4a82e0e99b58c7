"""The script of the tests' workflow."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("tests.workflows.review.workflow"))
