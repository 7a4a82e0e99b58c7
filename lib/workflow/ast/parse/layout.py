"""Removal of the layout that `render/layout.py` adds to texts."""


def framed(raw: str, blank_is_layout: bool = False) -> str | None:
    """Return the text inside or beside an element, without the lines and indentation that layout added.

    Return None if there was only layout. Text that our renderers did not lay out is returned unchanged, except that
    blanks between elements (`blank_is_layout`) count as layout.
    """
    if raw.startswith("\n"):
        lines, _, indent = raw[1:].rpartition("\n") if raw.count("\n") > 1 else (None, "", raw[1:])
        if not indent.strip(" "):
            return None if lines is None else _moved_left(lines, len(indent))
    return None if not raw or (blank_is_layout and not raw.strip()) else raw


def _moved_left(lines: str, by: int) -> str:
    if not by:
        return lines
    blanks = " " * by
    if lines.startswith(blanks) and lines.count(f"\n{blanks}") == lines.count("\n"):
        return lines[by:].replace(f"\n{blanks}", "\n")
    return "\n".join(line[by:] if line.startswith(blanks) else line.lstrip(" ") for line in lines.split("\n"))


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
