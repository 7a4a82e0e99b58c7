"""The script of the area."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("tests.workflows.area.workflow"))
