"""The script of one explorer: `python3 -m skills.refactor.explore --step 1 --category ID --mode code --scope PATH`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("skills.refactor.explore_workflow"))
