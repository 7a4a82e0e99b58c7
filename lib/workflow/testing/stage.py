"""The directory in which workflows are tried; its name reveals quoting mistakes."""

import importlib
import importlib.util
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from types import MappingProxyType, ModuleType, TracebackType
from typing import Final, TypeAlias

from ..arguments.parameter import Value
from ..command import Command
from ..command.quoting import join
from ..core import Workflow

NAME: Final = "a b'c$HOME é"
MEMORY: Final = "/dev/shm"  # noqa: S108 - the folder made there has a name of its own and belongs to this process
"""Folder in the system's memory, if it has one: on a disk, a proof mostly waits for syncs."""
STAGING: Final = "staging"
"""Module, in the package of a workflow's script or around it, whose `stage` prepares the directory."""
Prepare: TypeAlias = Callable[[Workflow, str, str], None]
"""`stage(workflow, step_id, directory)`: fills an empty directory so that the step can run there."""


def memory() -> str | None:
    """Return the folder for temporary files of a proof; None for the system's default."""
    return MEMORY if os.access(MEMORY, os.W_OK | os.X_OK) else None


class Stage:
    """A directory for the duration of the `with`; it is made again for every step, and restored for the same one."""

    def __init__(self) -> None:
        self.root = os.path.realpath(
            tempfile.mkdtemp(prefix="stepscript-", dir=MEMORY if os.access(MEMORY, os.W_OK | os.X_OK) else None)
        )
        self.directory = os.path.join(self.root, NAME)
        self._prepares: dict[str, Prepare | None] = {}
        self._step: tuple[str, str] | None = None
        self._prepared: Mapping[str, bytes] = {}

    def __enter__(self) -> "Stage":
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    def given(self, workflow: Workflow) -> Mapping[str, Value]:
        """Return the parameters that the stage sets: each path lies in the directory, under the parameter's name."""
        return MappingProxyType(
            {
                name: os.path.join(self.directory, name)
                for name, parameter in workflow.parameters.items()
                if parameter.arg.path
            }
        )

    def ready(self, workflow: Workflow, step_id: str) -> None:
        """Prepare the directory for the step. A workflow without paths needs nothing."""
        if not self.given(workflow):
            return
        if self._step == (workflow.module, step_id) and self._restore():
            return
        shutil.rmtree(self.directory, ignore_errors=True)
        os.mkdir(self.directory)
        if workflow.module not in self._prepares:
            self._prepares[workflow.module] = _prepare(workflow.module)
        prepare = self._prepares[workflow.module]
        if prepare is not None:
            prepare(workflow, step_id, self.directory)
        self._step, self._prepared = (workflow.module, step_id), self.contents()

    def _restore(self) -> bool:
        """Undo what the step has done. Returns False if something is gone, which cannot be made again as it was."""
        now = self.contents()
        if not self._prepared.keys() <= now.keys():
            return False
        for name in sorted(now.keys() - self._prepared.keys(), reverse=True):  # the contents of a folder come before it
            path = os.path.join(self.directory, name).rstrip(os.sep)
            os.unlink(path) if os.path.islink(path) or not os.path.isdir(path) else os.rmdir(path)
        for name, data in self._prepared.items():
            if data != now[name]:
                with open(os.path.join(self.directory, name), "wb") as file:
                    file.write(data)
        return True

    def shown(self, command: Command) -> str:
        """Return the command's words, without parts that differ between runs."""
        return f"{command.module} {join([self.named(word) for word in command.words])}"

    def named(self, word: str) -> str:
        """Return the word with the directory's varying name replaced by a constant."""
        return word.replace(self.directory, "STAGE")

    def contents(self) -> Mapping[str, bytes]:
        """Return every file of the directory by its path there.

        A folder's path ends with a separator and has no content.
        """
        found: dict[str, bytes] = {}
        for folder, folders, files in os.walk(self.directory):
            found |= {os.path.join(os.path.relpath(folder, self.directory), name, ""): b"" for name in folders}
            for name in files:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, self.directory)] = file.read()
        return MappingProxyType(found)


def _prepare(module: str) -> Prepare | None:
    found = beside(module, STAGING)
    if found is None:
        return None
    prepare: Prepare = found.stage
    return prepare


def beside(module: str, name: str) -> ModuleType | None:
    """Return the module of this name in the package of a workflow's script, or in the nearest package around it."""
    package = module
    while "." in package:
        package = package.rpartition(".")[0]
        if importlib.util.find_spec(f"{package}.{name}") is not None:
            return importlib.import_module(f"{package}.{name}")
    return None
