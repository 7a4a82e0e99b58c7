"""The script of the workflow in `workflow.py`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("claim_skills.check_claims.workflow"))
