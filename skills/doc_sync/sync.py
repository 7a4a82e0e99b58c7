"""The script of the documentation sync: `python3 -m skills.doc_sync.sync --step 1`."""

from lib.workflow.cli import main

if __name__ == "__main__":
    raise SystemExit(main("skills.doc_sync.workflow"))
