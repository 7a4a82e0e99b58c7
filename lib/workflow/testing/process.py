"""A printed command run as an agent does: as a shell reads it, in a folder that would mislead it (law 5)."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from types import TracebackType
from typing import Final, NamedTuple

from ..ast.nodes import Document
from ..cli.calls import status_of
from ..command import Command, launcher
from ..command.origins import origins
from ..command.quoting import join
from ..errors import RefusedError
from ..render.xml import render
from ..state.run_dirs import user_folder
from .findings import Fault, Finding
from .stage import memory
from .targets import Targets

SHADOWS: Final = ("lib", "json", "attrs", "argparse")
"""Modules in the folder besides the packages under proof; importing one breaks the command."""
_DEAF: Final = frozenset({"-I", "-E"})
"""Options that make Python ignore PYTHONPATH."""
_FOUND: Final = "from lib.workflow.command.origins import origins; import sys; print(ascii(origins(sys.argv[1])))"
_RUN: Final = (
    "import runpy, sys; sys.path += {}; del sys.argv[0]; "
    "runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True)"
)
TIME: Final = 60
"""Timeout in seconds; a step that takes longer hangs."""


class Ran(NamedTuple):
    """The result of a command."""

    status: int
    out: str
    errors: str


class Processes:
    """A folder of its own in which commands run, for the duration of the `with`."""

    def __init__(self, packages: tuple[str, ...]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="stepscript-", dir=memory())
        self._home = os.path.join(self._folder.name, "home")
        os.mkdir(self._home)
        for name in {*SHADOWS, *(package.partition(".")[0] for package in packages)}:
            with open(os.path.join(self._folder.name, f"{name}.py"), "w", encoding="utf-8") as file:
                file.write("raise SystemExit('a module of the working directory was imported')\n")
        self._homes = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME"), self._home)
        self._environment = {**os.environ, **self._homes}
        self._installed: dict[str, bool] = {}
        self._held = frozenset(os.listdir(self._folder.name))

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self._folder.cleanup()

    def findings(self, command: Command, document: Document, targets: Targets, *, here: bool) -> Iterator[Finding]:
        """Yield the findings about a run of the command, compared with the document that it should print.

        It runs as a process or, with `here`, in this one.
        """
        workflow = targets.workflows[command.module]
        step_id = targets.step(command)
        where = f"step {step_id}, `{targets.stage.shown(command)}`"
        targets.stage.ready(workflow, step_id)
        try:
            ran = (self.run_here if here else self.run)(command, targets.given(command))
        except subprocess.TimeoutExpired:
            ran = Ran(-1, "", f"it was still running after {TIME} seconds")
        if ran != (status_of(document), f"{render(document)}\n", ""):
            what = f"exit status {ran.status}; {ran.errors.strip() or 'another print'}"
            yield Finding(Fault.PROCESS, workflow.name, where, what)
        left = self._left()
        if left:
            what = f"it leaves {', '.join(left)} behind, outside its run directory"
            yield Finding(Fault.PROCESS, workflow.name, where, what)

    def run(self, command: Command, given: str = "") -> Ran:
        """Run the command with `given` on its standard input. Raises subprocess.TimeoutExpired."""
        package = command.module.partition(".")[0]
        misled = {} if _DEAF.isdisjoint(command.launcher) else {"PYTHONPATH": self._misleading()}
        done = subprocess.run(
            ["/bin/sh", "-c", str(command) if self._is_installed(package) else _as_installed(command, package)],
            capture_output=True,
            check=False,
            cwd=self._folder.name,
            encoding="utf-8",
            env={**self._environment, "XDG_STATE_HOME": self._state_home(), **misled},
            input=given,
            timeout=TIME,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def run_here(self, command: Command, given: str = "") -> Ran:
        """Run the command in this process, with the words that a shell reads."""
        from .inprocess import environment, run_here

        words = (*command.launcher, "-m", command.module, *command.words)
        read = subprocess.run(
            ["/bin/sh", "-c", f"printf '%s\\0' {command}"], capture_output=True, check=False, encoding="utf-8"
        )
        if read.stdout != "".join(f"{word}\0" for word in words):
            return Ran(read.returncode, "", f"a shell reads it as {read.stdout!a} {read.stderr.strip()}")
        with environment({**self._homes, "XDG_STATE_HOME": self._state_home()}), chdir(self._folder.name):
            try:
                return run_here(command, given)
            except Exception as error:  # a module may raise any error
                return Ran(1, "", f"{type(error).__name__}: {error}")

    def _state_home(self) -> str:
        """Return the folder of this process's key: the command must recognize the runs that this process marks."""
        try:
            return os.path.dirname(user_folder())
        except RefusedError:
            return self._home

    def _is_installed(self, package: str) -> bool:
        """Return True if a command finds the package that was imported here."""
        if package not in self._installed:
            words = [*launcher(package), "-c", _FOUND, package]
            found = subprocess.run(words, capture_output=True, check=False, cwd="/", encoding="utf-8", timeout=TIME)
            self._installed[package] = found.stdout == f"{origins(package)!a}\n"
        return self._installed[package]

    def _misleading(self) -> str:
        """Return a PYTHONPATH with modules that shadow ours; a command must ignore it."""
        return os.pathsep.join(filter(None, (self._folder.name, os.environ.get("PYTHONPATH"))))

    def _left(self) -> list[str]:
        """Return and remove the files that the command left in its home and in its folder."""
        folder = self._folder.name
        left = [os.path.join(self._home, name) for name in os.listdir(self._home)]
        left += [os.path.join(folder, name) for name in os.listdir(folder) if name not in self._held]
        for path in left:
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        return sorted(map(os.path.basename, left))


def _as_installed(command: Command, package: str) -> str:
    """Return the command as it runs under a development install: the package's folder ends the import path."""
    code = _RUN.format(list(origins(package)))
    return join((*command.launcher, "-c", code, command.module, *command.words))
