"""Where the `stepscript` command begins."""

import gc
import sys


def main() -> int:
    """Runs the command and returns its exit status."""
    gc.disable()  # it lives briefly, and looking for cycles in what it imports takes a tenth of `stepscript list`
    from .main import main as run

    status = run()
    if "temporalio" in sys.modules:  # whose threads may abort a process that takes its time to end
        from ..output import leave

        leave(status)
    return status
