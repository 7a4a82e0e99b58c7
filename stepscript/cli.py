"""The entry point of the `stepscript` command."""

import atexit
import gc
import sys

INTERRUPTED = 130
"""Exit status after Ctrl-C, as in the table of the README."""


def main() -> int:
    """Run the command and return its exit status. It may be interrupted at any time, also while it is imported."""
    atexit.register(gc.freeze)
    try:
        from .names import claim, ignore_pythonpath

        ignore_pythonpath()
        claim()
        from lib.workflow.util.startup import short_command

        short_command()
        from lib.workflow.app.main import main as run

        status = run()
    except KeyboardInterrupt:
        return INTERRUPTED
    if "temporalio" in sys.modules:  # its threads may abort a process that ends slowly
        from lib.workflow.util.output import leave

        leave(status)
    return status
