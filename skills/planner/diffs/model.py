"""The diff of one file, as values."""

from attrs import frozen


@frozen
class Hunk:
    """A piece of a file, before and after."""

    line: int
    """The line of its header in the diff, from 1."""
    start: int
    """Its first line in the file before; if it adds to nothing, the line after which it adds."""
    header: str
    body: tuple[str, ...]
    """Its lines, each with its sign."""

    @property
    def before(self) -> tuple[str, ...]:
        """Return the lines of the file that it replaces, including those that stay."""
        return tuple(line[1:] for line in self.body if line[0] in " -")


@frozen
class FileDiff:
    """The change of one file."""

    file: str
    hunks: tuple[Hunk, ...]
    creates: bool
    deletes: bool
    executable: bool
    """True if a file that it creates is executable."""

    def __str__(self) -> str:
        """Return the diff in the one form that git gets: names without quotes, modes if it needs them."""
        mode = "100755" if self.executable else "100644"
        lines = [f"diff --git a/{self.file} b/{self.file}"]
        if self.creates or self.deletes:
            lines.append(f"{'new' if self.creates else 'deleted'} file mode {mode}")
        lines.append("--- /dev/null" if self.creates else f"--- a/{self.file}\t")
        lines.append("+++ /dev/null" if self.deletes else f"+++ b/{self.file}\t")
        for hunk in self.hunks:
            lines += (hunk.header, *hunk.body)
        return "\n".join(lines) + "\n"
