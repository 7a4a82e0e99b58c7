"""Removal of the layout that `render/layout.py` adds to texts."""


def framed(raw: str, blank_is_layout: bool = False) -> str | None:
    """Return the text inside or beside an element, without the lines and indentation that layout added.

    Return None if there was only layout. Text that our renderers did not lay out is returned unchanged, except that
    blanks between elements (`blank_is_layout`) count as layout.
    """
    if raw[:1] == "\n":
        end = raw.rfind("\n")
        line_end = raw[end:]
        if line_end.strip(" ") == "\n":
            return _moved_left(raw[:end], line_end) if end else None
    return None if not raw or (blank_is_layout and not raw.strip()) else raw


def _moved_left(lines: str, line_end: str) -> str:
    """Return the text of lines, each after a newline, without the blanks that follow the newline of `line_end`."""
    by, moved = len(line_end) - 1, lines.replace(line_end, "\n")
    if len(lines) - len(moved) == by * lines.count("\n"):  # every line has the blanks
        return moved[1:]
    return "\n".join([line[by:] if line[:by] == line_end[1:] else line.lstrip(" ") for line in lines[1:].split("\n")])


def bullets(raw: str) -> tuple[str, ...]:
    """Return the items of a list of `- …` lines. Raises ValueError if the text begins with anything else."""
    found: list[list[str]] = []
    for line in (framed(raw) or "").split("\n") if raw.strip() else ():
        if line.removeprefix("  ").startswith("- "):
            found.append([line.removeprefix("  ")[2:]])
        elif line.lstrip().startswith("- ") and not line.startswith("    "):
            found.append([line.lstrip()[2:]])
        elif found:
            found[-1].append(line[4:] if line.startswith("    ") else line.lstrip(" "))
        else:
            raise ValueError(f"{line!r:.60} does not start an item; start each item with '- '")
    return tuple(map("\n".join, found))
