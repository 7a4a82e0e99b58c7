"""Places of a run's documents, for tests that hold for each: a folder, and a database that two hosts share."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from lib.workflow.state.database.addresses import folder_of

if TYPE_CHECKING:
    from tests.databases.server import Server


class Place(Protocol):
    """The place of one run's documents."""

    @property
    def address(self) -> str:
        """Return the value of `--state-dir`."""

    @property
    def folder(self) -> str:
        """Return the run's folder in this process."""

    def make(self) -> None:
        """Make the folder, if the documents are in it."""

    def another(self, name: str) -> "Place":
        """Return the place of another run of the same kind."""

    def environment(self, number: int) -> Mapping[str, str]:
        """Return variables of a process; in a database, processes with odd and even numbers are on two hosts."""

    def documents(self) -> Mapping[str, bytes]:
        """Return the documents by name, and any other file that is left beside them."""


class InFolder(NamedTuple):
    """A folder with documents."""

    root: Path
    name: str = "state"

    @property
    def address(self) -> str:
        return self.folder

    @property
    def folder(self) -> str:
        return str(self.root / self.name)

    def make(self) -> None:
        Path(self.folder).mkdir()

    def another(self, name: str) -> "InFolder":
        return InFolder(self.root, name)

    def environment(self, number: int) -> Mapping[str, str]:
        return {}

    def documents(self) -> Mapping[str, bytes]:
        files = (path for path in Path(self.folder).iterdir() if path.is_file() and not path.name.endswith(".lock"))
        return {path.name: path.read_bytes() for path in files if path.name != ".gitignore"}


class InDatabase(NamedTuple):
    """A run in a database, and a folder for what its hosts keep for themselves."""

    server: "Server"
    root: Path
    name: str

    @property
    def address(self) -> str:
        return f"{self.server.address}#{self.name}"

    @property
    def folder(self) -> str:
        return folder_of(self.address)

    def make(self) -> None:
        pass

    def another(self, name: str) -> "InDatabase":
        return InDatabase(self.server, self.root, f"{self.name}-{Path(name).parts[0]}")

    def environment(self, number: int) -> Mapping[str, str]:
        return {"XDG_STATE_HOME": str(self.root / f"host-{number % 2}")}

    def documents(self) -> Mapping[str, bytes]:
        query = f"SELECT name, encode(body, 'hex') FROM stepscript_documents WHERE run = '{self.name}'"
        rows = (line.split("|") for line in self.server.ask(query).splitlines())
        return {name: bytes.fromhex(body) for name, body in rows}


def new_name() -> str:
    """Return the name of a run that no other test uses."""
    return f"run-{os.urandom(4).hex()}"
