"""The clients' own programs, each run with a home folder of its own, without a login and without a network."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from attrs import frozen

BIN = Path(__file__).parent / "programs" / "node_modules" / ".bin"
NOWHERE = "http://127.0.0.1:9"
"""The proxy that every request is sent to: nobody listens there."""


def empty_home(home: Path) -> Mapping[str, str]:
    """The environment of somebody who has nothing yet."""
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
    """A person with a home folder, at work in a folder."""

    home: Path
    folder: Path

    def asks(self, program: str, *words: str) -> str:
        """What a client's program prints on standard output. Fails unless it says that all is well."""
        return self.runs(str(BIN / program), *words).stdout

    def runs(
        self, *command: str, status: int = 0, environment: Mapping[str, str] = MappingProxyType({})
    ) -> subprocess.CompletedProcess[str]:
        """A command, run to its end; `environment` is set besides."""
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
