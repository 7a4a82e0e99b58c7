"""The script of `straying`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("faulty.straying"))
