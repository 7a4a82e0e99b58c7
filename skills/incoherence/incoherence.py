"""The script of incoherence: `python3 -m skills.incoherence.incoherence --step 1 --state-dir DIR`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("skills.incoherence.workflow"))
