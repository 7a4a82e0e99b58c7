"""The script of the sweep."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("tidy.sweep"))
