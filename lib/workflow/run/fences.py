"""Fences of the steps and agents of one run."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ..state import attempts

SUFFIX: Final = ".fence"


class Fences:
    """Files with the tokens of a run's steps and agents. One file serves many agents, each for its time.

    Args:
        folder: The folder of the files. Tokens that a killed driver has left there become stale.
    """

    def __init__(self, folder: str) -> None:
        self._folder, self._made = folder, 0
        self._free: list[str] = []
        with os.scandir(folder) as found:
            for each in found:
                if each.name.endswith(SUFFIX) and each.is_file(follow_symlinks=False):
                    attempts.close(each.path)

    @contextmanager
    def fence(self) -> Iterator[str]:
        """Lend a file during the block, after which its token is stale."""
        if not self._free:
            self._made += 1
            self._free.append(os.path.join(self._folder, f"{self._made}{SUFFIX}"))
        file = self._free.pop()
        try:
            yield file
        finally:
            attempts.close(file)
            self._free.append(file)
