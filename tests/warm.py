"""A Python process that has imported modules already, and forks for each start of a script.

A start in it has streams, a process id and an exit status of its own, as any process has, at a tenth of the price. It
does not show what the interpreter does before the first import, such as the opening of the standard streams.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

from attrs import frozen

from tests.subjects import ROOT

_LOOP: Final = """\
import _signal, atexit, os, runpy, sys

def tell(folder):
    with open(folder + "/modules", "w") as file:
        made = (name for name in sys.modules.keys() - held if getattr(sys.modules[name], "__spec__", None))
        file.write("\\n".join(made))

def start(module, words, folder, output, directory, environment):
    _signal.alarm(SECONDS)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(directory)
    files = (folder + "/in", os.O_RDONLY), (output or folder + "/out", os.O_WRONLY), (folder + "/errors", os.O_WRONLY)
    for number, (path, mode) in enumerate(files):
        opened = os.open(path, mode | (mode and os.O_CREAT), 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = open(0, encoding="utf-8", closefd=False)
    sys.argv = [module, *words]
    if not hasattr(sys.modules.get(module), "__path__"):
        sys.modules.pop(module, None)
    atexit.register(tell, folder)
    status = 0
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as stopped:
        status = stopped.code or 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 1
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
    except OSError:
        status = 120
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else 1)

held = set(sys.modules)
for name in sys.argv[1:]:
    __import__(name)
while line := sys.stdin.readline():
    what, *given = eval(line)
    if what == "start":
        answer = os.fork()
        if answer == 0:
            start(*given)
    elif what == "import":
        answer = len(list(map(__import__, given)))
    else:
        answer = os.waitstatus_to_exitcode(os.waitpid(*given, 0)[1])
    print(answer, flush=True)
""".replace("SECONDS", "60")
"""Program of the process. A start that takes a minute is ended by a signal."""


@frozen
class Came:
    """The result of a start."""

    status: int
    """Its exit status; negative if a signal ended it."""
    out: str
    errors: str
    modules: frozenset[str]
    """The modules that it imported, beyond those of a bare interpreter."""


@frozen
class Started:
    """A start that may still run."""

    pid: int
    _warm: "Warm"
    _folder: Path

    def ended(self) -> Came:
        """Wait for its end, and return its result."""
        status = self._warm.ask("wait", self.pid)
        out, errors, modules = (self._read(name) for name in ("out", "errors", "modules"))
        return Came(status, out, errors, frozenset(modules.split()))

    def _read(self, name: str) -> str:
        path = self._folder / name
        return path.read_text(encoding="utf-8") if path.exists() else ""


class Warm:
    """The process, for the duration of the `with`, with modules that it imports at once."""

    def __init__(self, *modules: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="stepscript-warm-")
        self._count = 0
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _LOOP, *modules],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd="/",
            env={"PATH": os.environ["PATH"], "PYTHONPATH": ROOT},
            encoding="utf-8",
        )

    def __enter__(self) -> "Warm":
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self._process.communicate()
        self._folder.cleanup()

    def start(
        self, words: Sequence[str], environment: Mapping[str, str], given: str = "", out: str = "", cwd: str = "/"
    ) -> Started:
        """Start a script: its words after `python -m`, its environment, and the file of its output if it has one."""
        self._count += 1
        folder = Path(self._folder.name, str(self._count))
        folder.mkdir()
        (folder / "in").write_text(given, encoding="utf-8")
        pid = self.ask("start", str(words[0]), list(map(str, words[1:])), str(folder), out, cwd, dict(environment))
        return Started(pid, self, folder)

    def learn(self, came: Came) -> None:
        """Import what a start has imported, so that the next ones find it."""
        self.ask("import", *sorted(came.modules - {"__main__", "__mp_main__"}))

    def ask(self, *question: object) -> int:
        """Return the answer of the process."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{question!a}\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())
