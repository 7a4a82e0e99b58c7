"""What the steps of the tests' workflow find in their state directory."""

import os

from lib.workflow.core import Workflow


def stage(workflow: Workflow, step_id: str, state_dir: str) -> None:
    """The request that all steps but the first, which makes it, stand on."""
    if step_id != "open":
        with open(os.path.join(state_dir, "request"), "w", encoding="utf-8") as file:
            file.write("a <request> & more")
