"""The plain-text functions of specification 000, milestone 2."""

from collections.abc import Sequence


def format_text_step_header(step: int, total: int, title: str, brief: str | None = None) -> str:
    """`STEP n/m: title`, and what it is about on a second line."""
    return f"STEP {step}/{total}: {title}" + (f"\n  {brief}" if brief else "")


def format_text_output(
    step: int,
    total: int,
    title: str,
    actions: Sequence[str],
    brief: str | None = None,
    next_title: str | None = None,
) -> str:
    """A whole step. Actions are indented line by line, so that none passes for a header of ours."""
    said = [line for action in actions for line in action.splitlines() or [""]]
    lines = [format_text_step_header(step, total, title, brief), "", "DO:"]
    lines += [f"  {line}" if line else "" for line in said]
    if step >= total:
        lines += ["", "COMPLETE - Present results to user."]
    elif next_title:
        lines += ["", f"NEXT: Step {step + 1} - {next_title}"]
    else:
        lines.append("")
    return "\n".join(lines)
