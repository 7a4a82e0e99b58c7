"""The script of `homing`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("faulty.homing"))
