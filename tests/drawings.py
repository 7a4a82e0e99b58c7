"""Drawings read by their readers' own parsers: Mermaid's and Graphviz's, from the npm registry."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

import pytest

HERE: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "node")
NODE: Final = shutil.which("node")
Read: TypeAlias = Mapping[str, object]
"""`type`, `nodes`, `edges`, `groups`, as in `node/check.mjs`; or `error`."""

needs_node = pytest.mark.skipif(
    NODE is None or not os.path.exists(os.path.join(HERE, "node_modules", ".package-lock.json")),
    reason="the parsers of Mermaid and Graphviz are not here; `make graphs` installs them where Node and npm are",
)


def read_back(drawings: Iterable[tuple[str, str]]) -> list[Read]:
    """Return the parsers' results for drawings, pairs of a kind (`mermaid` or `dot`) and a text, in one process."""
    assert NODE
    given = json.dumps([{"kind": kind, "text": text} for kind, text in drawings])
    command = [NODE, os.path.join(HERE, "check.mjs")]
    run = subprocess.run(command, input=given, capture_output=True, encoding="utf-8", check=True)
    read: list[Read] = json.loads(run.stdout)
    return read
