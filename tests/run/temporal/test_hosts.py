"""The hosts of the tests without a shared folder, which are real only where the system has namespaces."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.run.temporal.hosts import ROOT, can_isolate, words_on_a_host

NETWORK = "/proc/self/ns/net"


@pytest.mark.skipif(not can_isolate(), reason="no namespaces: the hosts of test_apart.py are plain processes")
def test_host_has_neither_the_folders_nor_the_network_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    words = ("sh", "-c", 'ls -A "$0"; readlink "$1"', str(tmp_path), NETWORK)
    on_a_host = words_on_a_host(words, {1: str(tmp_path / "socket")}, (str(tmp_path),))
    shown = subprocess.run(on_a_host, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert len(shown) == 1
    assert shown != [os.readlink(NETWORK)]
