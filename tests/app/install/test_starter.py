"""The installed launcher is there as long as an installation is."""

import shutil
from pathlib import Path

import pytest

from lib.workflow.app.install.host import starter


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


def test_the_last_uninstallation_removes_the_launcher(state: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        starter.add(str(tmp_path / name), "#!/bin/sh\n")
    starter.drop(str(tmp_path / "a"))
    assert starter.is_current("#!/bin/sh\n")
    starter.drop(str(tmp_path / "b"))
    assert not (state / "stepscript").exists()


def test_a_project_that_was_deleted_does_not_hold_the_launcher(state: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        starter.add(str(tmp_path / name), "#!/bin/sh\n")
    shutil.rmtree(tmp_path / "a")
    starter.drop(str(tmp_path / "b"))
    assert not (state / "stepscript").exists()


def test_an_upgrade_replaces_the_launcher(tmp_path: Path) -> None:
    starter.add(str(tmp_path), "#!/bin/sh\n")
    starter.add(str(tmp_path), "#!/bin/sh\n:\n")
    assert starter.is_current("#!/bin/sh\n:\n")
    Path(starter.path()).chmod(0o600)
    assert not starter.is_current("#!/bin/sh\n:\n")
