"""Folders of foreign packages, installed for one test."""

import os
import sys
from collections.abc import Iterator
from typing import Final

import pytest

HERE: Final = os.path.dirname(os.path.abspath(__file__))


def installed(site: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the packages of `site` importable, and found by their metadata."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(os.path.join(HERE, site))
    yield
    for name in set(sys.modules) - before:
        if os.path.join(HERE, site) in (getattr(sys.modules[name], "__file__", None) or ""):
            del sys.modules[name]


def only(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the package the only one that declares workflows."""
    monkeypatch.setattr("lib.workflow.app.skills.packages.added", lambda _: {"only": package})
