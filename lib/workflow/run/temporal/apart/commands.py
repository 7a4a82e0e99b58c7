"""The commands that an agent on another host may have run: those of its run's own skill, on the run's own state."""

import os
from collections.abc import Iterator
from typing import Final

from attrs import frozen

from ....command import Command, CommandError
from ....errors import UsageError
from ....state.run_dirs import is_within
from ...graphs import Graphs, reached

STATE_DIR: Final = "--state-dir"
NO_GRAPHS: Final = Graphs(scripts=(), digest="")


@frozen
class Allowed:
    """The commands that agents on other hosts may have run.

    Args:
        packages: Packages with workflows.
        graphs: The graphs of all workflows.
    """

    packages: tuple[str, ...] = ()
    graphs: Graphs = NO_GRAPHS

    def check(self, words: tuple[str, ...], start: Command, folder: str, here: str) -> Command:
        """Return the command with these words.

        Args:
            words: A module, and its arguments.
            start: The run's first command.
            folder: The run directory.
            here: The folder in which it is run.

        Raises:
            UsageError: If it is neither of the run's skill nor a script that its steps lead to, or if it names another
                run, or a file outside of the run directory.
        """
        try:
            command = Command(words[0], words[1:])
        except CommandError as error:
            raise UsageError(str(error)) from None
        skill = self._skill(start.module)
        if not command.module.startswith(f"{skill}.") and command.module not in reached(self.graphs, [start.module]):
            raise UsageError(f"an agent on another host runs commands of {skill} only, not of {command.module:.100}")
        states = [value for flag, value in _values(command.words) if flag == STATE_DIR]
        if STATE_DIR in start.words and states != [folder]:
            raise UsageError(f"write {STATE_DIR} once, with the folder that the page names")
        for _, value in _values(command.words):
            path = os.path.realpath(os.path.join(here, value))
            if not is_within(path, os.path.realpath(folder)) and _is_place(path):
                raise UsageError(f"{value!r:.200} is outside of the run directory on its host")
        return command

    def _skill(self, module: str) -> str:
        """Return the package of the skill that a script belongs to."""
        holders = (each for each in self.packages if module.startswith(f"{each}."))
        around = max(holders, key=len, default=module.partition(".")[0])
        return f"{around}.{module[len(around) + 1 :].partition('.')[0]}"


def _is_place(path: str) -> bool:
    """Return True if something is at a path, or could be made there. Other texts may look like a path too."""
    around = os.path.dirname(path)
    return os.path.lexists(path) or (os.path.isdir(around) and os.path.dirname(around) != around)


def _values(words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield each word that may be a value, with the flag before it."""
    flag = ""
    for word in words:
        if word.startswith("--"):
            flag, equals, value = word.partition("=")
            if equals:
                yield flag, value
        else:
            yield flag, word
            flag = ""
