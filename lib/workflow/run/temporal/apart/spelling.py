"""Paths and commands as each of two hosts spells them: what a page names must exist where its agent works."""

import re
from collections.abc import Iterable
from typing import Final

from attrs import evolve

from ....command.quoting import quote
from ...clients.job import Job
from .wire import OpenSaid

LAUNCHER: Final = "stepscript-apart"
"""Launcher in the commands that the run's host prints for such agents."""
_END: Final = r"(?![\w-]|\.\w)"
"""The end of a path, or of a part of it: `RUN.2.1` is another folder than `RUN`."""


class Spelling:
    """The translation between the run's host and an agent's.

    Args:
        said: The folders on the run's host.
        folder: The folder with copies of files, in place of the run directory.
        tree: The agent's worktree.
        program: The program that sends a command to the run's host.
    """

    def __init__(self, said: OpenSaid, folder: str, tree: str, program: str) -> None:
        trees = {said.tree: tree, said.run_tree: tree, said.folder: folder}
        self._pairs = {form: there for here, there in trees.items() for form in _forms(here)}
        self._pairs[f"{LAUNCHER} -m"] = f"{program} -m"
        self._back = {tree: said.tree, folder: said.folder, f"{program} -m": f"{LAUNCHER} -m"}
        self._there, self._here = _pattern(self._pairs), _pattern(self._back)

    def there(self, text: str) -> str:
        """Return a text of the run's host for the agent."""
        return self._there.sub(lambda found: self._pairs[found[0]], text)

    def here(self, text: str) -> str:
        """Return a text of the agent for the run's host."""
        return self._here.sub(lambda found: self._back[found[0]], text)

    def job(self, job: Job) -> Job:
        """Return a job for the agent."""
        return evolve(
            job,
            prompt=self.there(job.prompt),
            told=self.there(job.told),
            page=self.there(job.page),
            command=self.there(job.command),
        )


def _forms(path: str) -> tuple[str, ...]:
    """Return the path as texts spell it: in a command a shell's quotes, which an attribute and JSON escape."""
    quoted = quote(path)
    inner = quoted[1:-1] if quoted != path else path
    return (path, inner, inner.replace('"', "&quot;"), inner.replace('"', '\\"'))


def _pattern(texts: Iterable[str]) -> "re.Pattern[str]":
    longest = sorted(texts, key=len, reverse=True)
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, longest))}){_END}")
