"""Fixtures: a user in a project with the skills, and a user with the plugin."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.clients import installed
from tests.clients.programs import Somebody


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a repository in which the skills are installed for all clients."""
    folder = tmp_path_factory.mktemp("project") / "repository"
    subprocess.run(["git", "init", "-q", folder], check=True)
    return installed.project(folder)


@pytest.fixture(scope="session")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the plugin."""
    return installed.plugin(tmp_path_factory.mktemp("plugin") / "stepscript")


@pytest.fixture
def member(tmp_path: Path, project: Path) -> Somebody:
    """Return a user who works in the project."""
    return Somebody(tmp_path / "home", project)


@pytest.fixture
def newcomer(tmp_path: Path) -> Somebody:
    """Return a user who works in a repository without the skills."""
    folder = tmp_path / "other"
    os.makedirs(folder / ".git")
    return Somebody(tmp_path / "home", folder)
