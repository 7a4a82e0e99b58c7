"""The entry point of a step script."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..formatters.modes import add_qr_args as add_qr_args
    from ..formatters.modes import mode_main as mode_main
    from ..formatters.modes import workflow_main as workflow_main
    from .script import Forms


def main(home: str, argv: "Sequence[str] | None" = None, forms: "Forms | None" = None) -> int:
    """Run one step of the WORKFLOW in the module `home` and return the exit status.

    Without `argv` the process does nothing else, so the garbage collector, which would scan all later imports, is
    turned off. A fault of the workflow or the library becomes a refusal on standard output, because a traceback does
    not help an agent.

    Args:
        home: The module that holds WORKFLOW.
        argv: The arguments; by default those of the process.
        forms: The formats to choose from.
    """
    if argv is None:
        from ..util.startup import short_process

        short_process()
    from .calls import answer

    return answer(home, argv, forms)


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import the command lines of review loops, which a step script does not need."""
        if name in ("add_qr_args", "mode_main", "workflow_main"):
            from ..formatters import modes

            return getattr(modes, name)
        raise AttributeError(name)
