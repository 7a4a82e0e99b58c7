"""Outputs of clients' programs that ended without a reply, from `outputs`."""

import tomllib
from datetime import datetime
from pathlib import Path

from attrs import frozen

FOLDER = Path(__file__).parent / "outputs"


@frozen(kw_only=True)
class Recorded:
    """One output, and the condition that it shows."""

    client: str
    name: str
    source: str
    kind: str
    status: int
    out: str = ""
    errors: str = ""
    until: datetime | None = None

    def __str__(self) -> str:
        return f"{self.client} {self.name}"


def recorded() -> list[Recorded]:
    """Return all of them."""
    return [
        Recorded(client=path.stem, name=name, **table)
        for path in sorted(FOLDER.glob("*.toml"))
        for name, table in tomllib.loads(path.read_text()).items()
    ]
