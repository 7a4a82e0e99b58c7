"""Common code of all scripts: exit statuses, formats, and the handler of all errors."""

import atexit
import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from ..ast.fields import Node
from ..ast.nodes import Invoke
from ..errors import SYSTEM_FIX, RefusedError, StaleVersionError, UsageError, WorkflowError
from ..util.characters import printable
from ..util.output import DONE as DONE
from ..util.output import INTERRUPTED, REFUSED, TRANSCRIPT, USAGE, printed, ready, redacted, say
from ..util.output import WAITING as WAITING

Renderer: TypeAlias = Callable[[Node], str]
JSON: Final = "json"
"""The format for programs, which reports wrong usage as an object on standard output too."""
Forms: TypeAlias = Mapping[str, Callable[[], Renderer]]
"""Formats by name, each with a function that loads it."""


class HelpAskedError(Exception):
    """Raised if the command line asks for help; the message is the help."""


def begin(argv: Sequence[str] | None) -> list[str]:
    """Start a command and return its arguments; by default those of the process.

    For the process's own arguments, the process runs them and ends. So the garbage collector does not scan the
    imported modules, not even at the end.
    """
    if argv is not None:
        return list(argv)
    atexit.register(gc.freeze)
    return sys.argv[1:]


def run(home: str, words: Sequence[str], forms: Forms, call: Callable[[], tuple[int, str]]) -> int:
    """Print the result of the call, and return the exit status.

    Every error becomes a refusal on standard output or a line on standard error, because a traceback does not help an
    agent.
    """
    ready()
    try:
        status, text = _caught(home, words, forms, call)
        _record(home, words, text)
        return printed(text, status)
    except UsageError as error:
        text = redacted(f"{error}\nTry the same command with --help.")
        _record(home, words, text)
        if _form(words, forms) == JSON:
            return printed(_error(USAGE, "usage", text), USAGE)
        say(text)
        return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED


def _record(home: str, words: Sequence[str], text: str) -> None:
    """Add the printed text to the transcript of the agent's attempt, if it has one."""
    if TRANSCRIPT in os.environ:
        from ..state.transcript import add

        add(os.environ[TRANSCRIPT], home, words, text)


def _caught(home: str, words: Sequence[str], forms: Forms, call: Callable[[], tuple[int, str]]) -> tuple[int, str]:
    try:
        return call()
    except HelpAskedError as asked:
        return DONE, str(asked)
    except UsageError:
        raise
    except RefusedError as error:
        return REFUSED, _refusal(words, forms, error)
    except WorkflowError as error:
        if error.__cause__ and os.environ.get("STEPSCRIPT_TRACEBACK"):
            raise
        fix = "Stop and show this to the maintainer of the skill."
        return REFUSED, _refusal(words, forms, RefusedError("broken-workflow", home, str(error), fix), fatal=True)
    except OSError as error:
        if error.errno is None:
            return _internal(home, words, forms, error)
        where = f"{error.filename}: " if error.filename else ""
        return REFUSED, _refusal(
            words, forms, RefusedError("system-error", home, where + (error.strerror or ""), SYSTEM_FIX)
        )
    except Exception as error:
        return _internal(home, words, forms, error)


def _internal(home: str, words: Sequence[str], forms: Forms, error: Exception) -> tuple[int, str]:
    """Return the refusal for an internal error."""
    if os.environ.get("STEPSCRIPT_TRACEBACK"):
        raise error
    fix = "Stop and report this; with STEPSCRIPT_TRACEBACK=1 in the environment you see the traceback."
    what = f"{type(error).__name__}: {error}"
    return REFUSED, _refusal(words, forms, RefusedError("internal-error", home, what, fix), fatal=True)


def frame(error: RefusedError, fatal: bool = False) -> Node:
    """Return the node that reports a refused request."""
    from ..ast.results import Refusal, RefusalSeverity, VersionMismatchError

    if isinstance(error, StaleVersionError):
        return VersionMismatchError(
            entity_id=printable(error.target),
            provided_version=error.provided,
            current_version=error.current,
            current_entity=error.entity,
            action=error.fix,
        )
    return Refusal(
        code=error.code,
        severity=RefusalSeverity.FATAL if fatal else RefusalSeverity.ERROR,
        target=printable(error.target),
        message=printable(str(error)),
        fix=printable(error.fix),
        invoke=Invoke(error.command) if error.command else None,
    )


def _refusal(words: Sequence[str], forms: Forms, error: RefusedError, fatal: bool = False) -> str:
    """Render a refusal in the requested format; for programs, as any other error."""
    form = _form(words, forms)
    if form != JSON:
        return forms[form]()(frame(error, fatal))
    more: dict[str, object] = {"command": str(error.command)} if error.command else {}
    if isinstance(error, StaleVersionError):
        more |= {"current_version": error.current, "current_entity": error.entity}
    return _error(REFUSED, error.code, str(error), error.target, error.fix, more)


def _error(
    status: int, code: str, text: str, target: str = "", fix: str = "", more: Mapping[str, object] | None = None
) -> str:
    """Return an error as one line of JSON."""
    from ..util.documents import json_error  # imports json

    return json_error(status, code, text, target, fix, more)


def _form(words: Sequence[str], forms: Forms) -> str:
    """Return the requested format. The arguments may be wrong in other ways, so they are not parsed."""
    asked = [form for form in forms if f"--format={form}" in words or ("--format", form) in pairwise(words)]
    return asked[0] if asked else "xml"


def _xml() -> Renderer:
    from ..render.xml import render

    return render


def _text() -> Renderer:
    from ..render.text import render_text

    return render_text


FORMS: Final[Forms] = {"xml": _xml, "text": _text}
"""Formats of a step script; each is imported on demand."""
