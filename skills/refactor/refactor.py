"""The script of the refactoring analysis: `python3 -m skills.refactor.refactor --step 1 --scope PATH`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("skills.refactor.workflow"))
