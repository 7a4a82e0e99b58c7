"""The entry point of the `stepscript` command."""

import atexit
import gc
import sys

from .names import claim, ignore_pythonpath


def main() -> int:
    """Run the command and return its exit status."""
    gc.disable()  # the process is short, and collecting its imports takes a tenth of `stepscript list`
    atexit.register(gc.freeze)
    ignore_pythonpath()
    claim()
    from lib.workflow.app.main import main as run

    status = run()
    if "temporalio" in sys.modules:  # its threads may abort a process that ends slowly
        from lib.workflow.util.output import leave

        leave(status)
    return status
