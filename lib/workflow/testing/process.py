"""A printed command as an agent runs it: by a shell, as it stands, in a folder that would mislead it (law 5)."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
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
"""What the folder holds besides the packages under proof: modules that break whoever imports them."""
_DEAF: Final = frozenset({"-I", "-E"})
"""The options of Python by which a command ignores PYTHONPATH."""
_FOUND: Final = "from lib.workflow.command.origins import origins; import sys; print(ascii(origins(sys.argv[1])))"
_RUN: Final = (
    "import runpy, sys; sys.path += {}; del sys.argv[0]; "
    "runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True)"
)
TIME: Final = 60
"""Seconds; a step that takes longer hangs."""


class Ran(NamedTuple):
    """What came of a command."""

    status: int
    out: str
    errors: str


class Processes:
    """Runs commands in a folder of its own, for as long as the `with` lasts."""

    def __init__(self, packages: tuple[str, ...]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="stepscript-", dir=memory())
        self._home = os.path.join(self._folder.name, "home")
        os.mkdir(self._home)
        for name in {*SHADOWS, *(package.partition(".")[0] for package in packages)}:
            with open(os.path.join(self._folder.name, f"{name}.py"), "w", encoding="utf-8") as file:
                file.write("raise SystemExit('a module of the working directory was imported')\n")
        homes = ("HOME", "TMPDIR", "XDG_CACHE_HOME")
        self._environment = {**os.environ, **dict.fromkeys(homes, self._home)}
        self._installed: dict[str, bool] = {}
        self._held = frozenset(os.listdir(self._folder.name))

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self._folder.cleanup()

    def findings(self, command: Command, document: Document, targets: Targets) -> Iterator[Finding]:
        """What is wrong with the command as a process, beside the document that it should print."""
        workflow = targets.workflows[command.module]
        step_id = targets.step(command)
        where = f"step {step_id}, `{targets.stage.shown(command)}`"
        targets.stage.ready(workflow, step_id)
        try:
            ran = self.run(command, targets.given(command))
        except subprocess.TimeoutExpired:
            ran = Ran(-1, "", f"it was still running after {TIME} seconds")
        if ran != (status_of(document), f"{render(document)}\n", ""):
            what = f"exit status {ran.status}; {ran.errors.strip() or 'another print'}"
            yield Finding(Fault.PROCESS, workflow.name, where, what)
        left = self._left()
        if left:
            what = f"it leaves {', '.join(left)} behind, outside its state directory"
            yield Finding(Fault.PROCESS, workflow.name, where, what)

    def run(self, command: Command, given: str = "") -> Ran:
        """Run the command; `given` stands on its standard input. Raises subprocess.TimeoutExpired."""
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

    def _state_home(self) -> str:
        """Where this process keeps the key by which a stage's runs are known: what it marks, a command must know."""
        try:
            return os.path.dirname(user_folder())
        except RefusedError:
            return self._home

    def _is_installed(self, package: str) -> bool:
        """Whether a command finds the package that was imported here."""
        if package not in self._installed:
            words = [*launcher(package), "-c", _FOUND, package]
            found = subprocess.run(words, capture_output=True, check=False, cwd="/", encoding="utf-8", timeout=TIME)
            self._installed[package] = found.stdout == f"{origins(package)!a}\n"
        return self._installed[package]

    def _misleading(self) -> str:
        """A PYTHONPATH with modules of our names, which a command ignores."""
        return os.pathsep.join(filter(None, (self._folder.name, os.environ.get("PYTHONPATH"))))

    def _left(self) -> list[str]:
        """What the command left in its home and in its folder; it is cleared away for the next one."""
        folder = self._folder.name
        left = [os.path.join(self._home, name) for name in os.listdir(self._home)]
        left += [os.path.join(folder, name) for name in os.listdir(folder) if name not in self._held]
        for path in left:
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        return sorted(map(os.path.basename, left))


def _as_installed(command: Command, package: str) -> str:
    """The command as it runs when the package is installed for development: its folder ends the import path."""
    code = _RUN.format(list(origins(package)))
    return join((*command.launcher, "-c", code, command.module, *command.words))
