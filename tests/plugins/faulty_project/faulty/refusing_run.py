"""The script of `refusing`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("faulty.refusing"))
