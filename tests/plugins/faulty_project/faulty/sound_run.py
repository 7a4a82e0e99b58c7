"""The script of `sound`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("faulty.sound"))
