"""The script of `spilling`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("faulty.spilling"))
