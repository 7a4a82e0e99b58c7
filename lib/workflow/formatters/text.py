"""Plain-text functions for skills that loop by flags.

Text in the first column is always the program's: a title that is blank, or has several lines, is refused.
"""

from collections.abc import Sequence

from ..render.layout import indented
from ..render.text import escaped
from ..util.characters import check_line


def format_text_step_header(step: int, total: int, title: str, brief: str | None = None) -> str:
    """Return `STEP n/m: title`, with the brief below. Raises ValueError for a title that is not one line."""
    _check(title, "title")
    return f"STEP {step}/{total}: {title}" + (f"\n{indented(escaped(brief))}" if brief else "")


def format_text_output(
    step: int,
    total: int,
    title: str,
    actions: Sequence[str],
    brief: str | None = None,
    next_title: str | None = None,
) -> str:
    """Return a whole step. Actions are indented line by line, so that none looks like a header of ours.

    Raises ValueError for a title, of this step or of the next, that is not one line.
    """
    if next_title:
        _check(next_title, "next_title")
    lines = [format_text_step_header(step, total, title, brief), "", "DO:"]
    lines += [indented(escaped(action)) if action else "" for action in actions]
    if step >= total:
        lines += ["", "COMPLETE - Present results to user."]
    elif next_title:
        lines += ["", f"NEXT: Step {step + 1} - {next_title}"]
    else:
        lines.append("")
    return "\n".join(lines)


def _check(title: str, where: str) -> None:
    check_line(title, where)
    if not title.strip():
        raise ValueError(f"{where}: must not be blank")
