"""The script of the prompt engineer: `python3 -m skills.prompt_engineer.optimize --step 1`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("skills.prompt_engineer.workflow"))
