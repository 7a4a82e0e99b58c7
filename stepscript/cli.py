"""The entry point of the `stepscript` command."""

import atexit
import os
import sys

INTERRUPTED = 130
"""Exit status after Ctrl-C, as in the table of the README."""


def start() -> None:
    """Run the command, and end the process without the interpreter's cleanup.

    The cleanup takes as long as the import of ten modules, and threads of the client of Temporal may abort it.
    """
    status = main()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            try:  # noqa: SIM105 - contextlib may be a file of the current folder here
                stream.flush()
            except (OSError, ValueError):
                pass
    os._exit(status)


def main() -> int:
    """Run the command and return its exit status. It may be interrupted at any time, also while it is imported."""
    try:
        from .names import claim, ignore_pythonpath

        ignore_pythonpath()
        claim()
        from lib.workflow.util.startup import short_command

        short_command()
        from lib.workflow.app.main import main as run

        return run()
    except KeyboardInterrupt:
        return INTERRUPTED
