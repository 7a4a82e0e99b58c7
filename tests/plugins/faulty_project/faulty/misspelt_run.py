"""The script of `misspelt`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("faulty.misspelt"))
