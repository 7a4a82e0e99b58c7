"""The script of the shelf's commands."""

from lib.workflow.cli.table.run import main

if __name__ == "__main__":
    raise SystemExit(main("tests.tables.shelf"))
