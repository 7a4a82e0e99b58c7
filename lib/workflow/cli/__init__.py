"""Where a step script begins."""

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..formatters.modes import add_qr_args as add_qr_args
    from ..formatters.modes import mode_main as mode_main
    from ..formatters.modes import workflow_main as workflow_main
    from .script import Forms


def main(home: str, argv: "Sequence[str] | None" = None, forms: "Forms | None" = None) -> int:
    """Runs one step of the WORKFLOW in the module `home` and returns the exit status. `forms`: those to choose from.

    Without `argv` the process is taken to do nothing else: the collector, which would look through all that is
    imported from here on, is off. A fault of the workflow, or of ours, becomes a refusal on standard output: a
    traceback teaches an agent nothing.
    """
    if argv is None:
        gc.disable()
    from .calls import answer

    return answer(home, argv, forms)


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """The command lines of 000's loops, which a step script does not pay for."""
        if name in ("add_qr_args", "mode_main", "workflow_main"):
            from ..formatters import modes

            return getattr(modes, name)
        raise AttributeError(name)
