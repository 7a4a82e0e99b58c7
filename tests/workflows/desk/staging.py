"""State that the steps of the tests' workflow need."""

import os

from lib.workflow.core import Workflow


def stage(workflow: Workflow, step_id: str, directory: str) -> None:
    """Write the request that all steps need except the first, which makes it."""
    state_dir = os.path.join(directory, "state_dir")
    os.mkdir(state_dir)
    if step_id != "open":
        with open(os.path.join(state_dir, "request"), "w", encoding="utf-8") as file:
            file.write("a <request> & more")
