"""The script of the writing style: `python3 -m skills.leon_writing_style.write --step 1`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("skills.leon_writing_style.workflow"))
