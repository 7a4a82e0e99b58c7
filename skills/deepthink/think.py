"""The script of deep thinking: `python3 -m skills.deepthink.think --step 1`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("skills.deepthink.workflow"))
