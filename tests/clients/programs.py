"""The clients' own programs, each run with its own home folder, without a login and without a network."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from attrs import frozen

BIN = Path(__file__).parent / "programs" / "node_modules" / ".bin"
NOWHERE = "http://127.0.0.1:9"
"""The proxy for every request, on which nothing listens."""


def empty_home(home: Path) -> Mapping[str, str]:
    """Return the environment of a user who has nothing yet."""
    home.mkdir(parents=True, exist_ok=True)
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), NOWHERE)
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        **proxies,
        "NO_PROXY": "127.0.0.1",
    }


@frozen
class Somebody:
    """A user with a home folder, at work in a folder."""

    home: Path
    folder: Path

    def asks(self, program: str, *words: str) -> str:
        """Return the standard output of a client's program. Fails unless its exit status is 0."""
        return self.runs(str(BIN / program), *words).stdout

    def runs(
        self, *command: str, status: int = 0, environment: Mapping[str, str] = MappingProxyType({})
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, with additional `environment`."""
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**empty_home(self.home), **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        assert done.returncode == status, f"{command}: {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done
