"""Runs the commands of the shelf."""

from lib.workflow.cli.table.run import main

if __name__ == "__main__":
    raise SystemExit(main("tests.tables.shelf"))
