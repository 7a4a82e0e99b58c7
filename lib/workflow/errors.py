"""Errors, by the person who can fix them. They are raised by the code with the rule, and caught once, in `main`."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .command import Command


SYSTEM_FIX: Final = "Check the disk, the folder's permissions and free space, then run the same command again."
"""The fix of an error of the system, whose cause only the user can see."""


def placed(error: BaseException, module: str) -> str:
    """Return the message of an import error, after its position: in an unreadable file, else in the module."""
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
    """Raised for a wrong workflow: its author must fix it. The message names workflow, step, and what to write."""


class RefusedError(ValueError):
    """Raised for a correct call that the current state does not allow (exit status 1).

    Args:
        code: A fixed word for programs.
        target: What is refused.
        message: The reason.
        fix: What to do instead.
        command: The command that does it, if there is one.
    """

    def __init__(self, code: str, target: str, message: str, fix: str, command: "Command | None" = None) -> None:
        super().__init__(message)
        self.code = code
        self.target = target
        self.fix = fix
        self.command = command


class UsageError(ValueError):
    """Raised for a wrong call: the caller must change it (exit status 2)."""


class StaleVersionError(RefusedError):
    """Raised for an update that gives no version or not the current one.

    Args:
        entity_id: The id of the entity.
        provided: The version given by the update; None if it gives none.
        current: The current version.
        entity: The current entity, as JSON.
    """

    def __init__(self, entity_id: str, provided: int | None, current: int, entity: str) -> None:
        fix = f"Apply your change to this entity and send it again with version {current}."
        said = "but the request gives none" if provided is None else f"not {provided}"
        super().__init__("stale-version", entity_id, f"it has version {current}, {said}", fix)
        self.provided = provided
        self.current = current
        self.entity = entity
