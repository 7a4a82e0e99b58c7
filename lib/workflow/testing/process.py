"""A printed command as an agent runs it: by a shell, as it stands, in a folder that would mislead it (law 5)."""

import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from types import TracebackType
from typing import Final, NamedTuple

from ..ast.nodes import Document
from ..calls import status_of
from ..command import Command
from ..errors import RefusedError
from ..homes import user_folder
from ..render.xml import render
from .findings import Fault, Finding
from .stage import memory
from .targets import Targets

SHADOWS: Final = ("lib", "json", "attrs", "argparse")
"""What the folder holds besides the packages under proof: modules that break whoever imports them."""
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
        self._environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(dict.fromkeys(_roots(packages))),
            **dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME"), self._home),
        }
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
        """Runs the command; `given` stands on its standard input. Raises subprocess.TimeoutExpired."""
        done = subprocess.run(
            ["/bin/sh", "-c", str(command)],
            capture_output=True,
            check=False,
            cwd=self._folder.name,
            encoding="utf-8",
            env={**self._environment, "XDG_STATE_HOME": self._state_home()},
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

    def _left(self) -> list[str]:
        """What the command left in its home and in its folder; it is cleared away for the next one."""
        folder = self._folder.name
        left = [os.path.join(self._home, name) for name in os.listdir(self._home)]
        left += [os.path.join(folder, name) for name in os.listdir(folder) if name not in self._held]
        for path in left:
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        return sorted(map(os.path.basename, left))


def _roots(packages: tuple[str, ...]) -> Iterator[str]:
    """The folders from which the packages under proof were imported here: they need not be installed."""
    for package in packages:
        spec = importlib.util.find_spec(package.partition(".")[0])
        for location in (spec.submodule_search_locations if spec else None) or ():
            yield os.path.dirname(location)
