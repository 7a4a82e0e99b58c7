"""A PostgreSQL server of the tests, in a folder of its own, with a Unix socket and no port.

It ends with the test process, even if that is killed.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Final

from lib.workflow.util.processes import Process, end, start

DEBIAN: Final = "/usr/lib/postgresql"
OLDEST: Final = 15
LONGEST: Final = 60.0
"""Most seconds until the server is ready on a busy machine."""
MISSING: Final = f"needs PostgreSQL {OLDEST} or newer: apt-get install postgresql, or put its `postgres` on the PATH"
USER: Final = "stepscript"
LOCKED: Final = "locked"
"""The role that needs a password."""
PASSWORD: Final = "correct secret"
DATABASE: Final = "runs"
ANYBODY: Final = "nobody"
"""The user of the system who runs the server for root, because PostgreSQL refuses to run as root."""


def programs() -> Path | None:
    """Return the folder of the newest server's programs; None if no server is installed."""
    found = sorted((int(path.name), path / "bin") for path in Path(DEBIAN).glob("[1-9]*") if path.name.isdigit())
    if found and found[-1][0] >= OLDEST:
        return found[-1][1]
    on_path = shutil.which("postgres")
    return Path(os.path.realpath(on_path)).parent if on_path else None


class Server:
    """One server. It may be killed, and started again with its data."""

    def __init__(self, folder: Path) -> None:
        self._bin = folder
        self._home = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))  # a socket's path has at most 107 bytes
        somebody = pwd.getpwnam(ANYBODY) if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        self._user, self._group = somebody.pw_uid, somebody.pw_gid
        os.chown(self._home, self._user, self._group)
        self._run("initdb", "-D", "data", "-U", USER, "-A", "trust", "-N", "-E", "UTF8", "--locale=C")
        rules = self._home / "data" / "pg_hba.conf"
        rules.write_text(f"local all {LOCKED} scram-sha-256\n{rules.read_text(encoding='utf-8')}", encoding="utf-8")
        self._process = self._begun()
        self._run("createdb", "-h", str(self._home), "-U", USER, DATABASE)
        self.ask(f"CREATE ROLE {LOCKED} LOGIN SUPERUSER PASSWORD '{PASSWORD}'")

    @property
    def address(self) -> str:
        """Return the URL of the database, without a run."""
        return f"postgresql:///{DATABASE}?host={self._home}&user={USER}"

    @property
    def socket(self) -> Path:
        """Return the Unix socket."""
        return self._home / ".s.PGSQL.5432"

    def begin(self) -> None:
        """Start the server again."""
        self._process = self._begun()

    def kill(self) -> None:
        """End all processes of the server at once, as a crash does."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(LONGEST)
        end(self._process)

    def close(self) -> None:
        """End the server and remove its data."""
        if self._process.poll() is None:
            self.kill()
        shutil.rmtree(self._home)

    def ask(self, statement: str) -> str:
        """Run a statement with psql, and return its output."""
        words = ("psql", "-h", str(self._home), "-U", USER, "-d", DATABASE, "-XAtqc", statement)
        return self._run(*words)

    def _begun(self) -> Process:
        settings = {"listen_addresses": "", "unix_socket_directories": str(self._home), "fsync": "off"}
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        ids = (f"--reuid={self._user}", f"--regid={self._group}", "--clear-groups")
        as_user = ("setpriv", *ids) if os.geteuid() == 0 else ()
        server = (str(self._bin / "postgres"), "-D", "data", "-c", "max_connections=100", *words)
        process = start((*as_user, *server), cwd=str(self._home), environment={"PATH": os.defpath})
        deadline = time.monotonic() + LONGEST
        while not self._is_ready():
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.02)
        return process

    def _is_ready(self) -> bool:
        words = (str(self._bin / "pg_isready"), "-q", "-h", str(self._home))
        return subprocess.run(words, check=False, env={"PATH": os.defpath}).returncode == 0

    def _run(self, program: str, *words: str) -> str:
        done = subprocess.run(
            (str(self._bin / program), *words),
            check=True,
            capture_output=True,
            encoding="utf-8",
            cwd=self._home,
            env={"PATH": os.defpath},
            user=self._user,
            group=self._group,
        )
        return done.stdout.rstrip("\n")
