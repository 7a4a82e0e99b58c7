"""Where the `stepscript` command begins."""

import gc


def main() -> int:
    """Runs the command and returns its exit status."""
    gc.disable()  # it lives briefly, and looking for cycles in what it imports takes a tenth of `stepscript list`
    from .main import main as run

    return run()
