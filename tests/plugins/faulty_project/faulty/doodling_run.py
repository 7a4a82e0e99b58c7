"""The script of `doodling`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("faulty.doodling"))
