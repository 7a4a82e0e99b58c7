"""What goes wrong with a workflow, by who can mend it. Raised where the rule lives, caught once, in `main`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .command import Command


def placed(error: BaseException, module: str) -> str:
    """What an import has raised, behind the line that did: of the file that cannot be read, else of the module."""
    place = ""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}: {type(error).__name__}: {error.msg}"
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__") == module:
            place = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}: "
        trace = trace.tb_next
    return f"{place}{type(error).__name__}: {error}"


class WorkflowError(ValueError):
    """The workflow itself is wrong: its author must mend it. The message names workflow and step, and what to write."""


class RefusedError(ValueError):
    """The call is right, and what it finds does not allow it (exit status 1).

    `code` is a fixed word for programs, `target` what is refused, `fix` what to do instead, and `command` the one that
    does it, where one can.
    """

    def __init__(self, code: str, target: str, message: str, fix: str, command: "Command | None" = None) -> None:
        super().__init__(message)
        self.code = code
        self.target = target
        self.fix = fix
        self.command = command


class UsageError(ValueError):
    """The call is wrong: whoever ran the command must change it (exit status 2)."""


class StaleVersionError(RefusedError):
    """An update that names another version than the current one, or none.

    Args:
        provided: The version that the update names; None if it names none.
        entity: The entity as it is now, as JSON.
    """

    def __init__(self, entity_id: str, provided: int | None, current: int, entity: str) -> None:
        fix = f"Fit your change into this and send it again with version {current}."
        said = "none was given" if provided is None else f"not {provided}"
        super().__init__("stale-version", entity_id, f"it has version {current}, {said}", fix)
        self.provided = provided
        self.current = current
        self.entity = entity
