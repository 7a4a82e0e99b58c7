"""The script of the other."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("rusty.taken"))
