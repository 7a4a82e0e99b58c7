"""Capture of a program's output in a file of bounded size: all of it, or the first and the last part; and its end."""

import os
from collections.abc import Callable
from typing import BinaryIO, Final

PART: Final = 1 << 20
"""Bytes of the first part, and of the last."""


class Capture:
    """An unbuffered file that takes any number of bytes and holds at most two parts of them.

    The second part is a ring buffer, so the file never grows beyond both. `settle` puts it in order, after a line that
    says how much is missing.

    Args:
        opened: Returns the file, when there is something to write.
        part: Bytes of a part.
    """

    def __init__(self, opened: Callable[[], BinaryIO], part: int = PART) -> None:
        self._opened, self._part = opened, part
        self._file: BinaryIO | None = None
        self.total = 0
        """Number of bytes written."""

    @property
    def left_out(self) -> int:
        """Return the number of bytes that the file does not hold."""
        return max(self.total - 2 * self._part, 0)

    def write(self, data: bytes) -> None:
        """Add bytes. Raises OSError if the file cannot take them."""
        file = self._file = self._file or self._opened()
        rest = memoryview(data)
        while rest:
            place = self._place(self.total)
            room = (self._part if place < self._part else 2 * self._part) - place
            file.seek(place)
            written = file.write(rest[:room])
            self.total += written
            rest = rest[written:]

    def settle(self) -> None:
        """Put the last part in order, after the last write."""
        file = self._file
        if file is not None and self.left_out:
            file.seek(self._part)
            ring = file.read(self._part)
            cut = self._place(self.total) - self._part
            file.seek(self._part)
            file.write(f"\n[{self.left_out:,} bytes are left out here]\n".encode())
            file.write(ring[cut:] + ring[:cut])

    def close(self) -> None:
        """Close the file, if there is one."""
        if self._file is not None:
            self._file.close()

    def _place(self, number: int) -> int:
        """Return the position of a byte in the file."""
        return number if number < self._part else self._part + (number - self._part) % self._part


def tail(path: str, size: int) -> str:
    """Return the last bytes of a file as text; empty without the file."""
    try:
        with open(path, "rb", buffering=0) as file:
            held = os.fstat(file.fileno()).st_size
            file.seek(max(held - size, 0))
            return file.read(min(held, size)).decode(errors="replace")
    except FileNotFoundError:
        return ""
