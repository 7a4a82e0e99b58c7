"""A worker reports its graphs from its start, and those that have changed since."""

from collections.abc import Mapping

import pytest

from lib.workflow.app import serving
from lib.workflow.app.serving import Loaded, digests


def test_a_process_that_reads_the_files_finds_the_graphs_that_this_one_has() -> None:
    assert serving._read_anew() == digests()


@pytest.mark.parametrize(
    ("now", "gone"),
    [
        ({}, set()),
        ({"skills.refactor.explore": "0" * 64}, {"skills.refactor.explore"}),
        ({"skills.refactor.explore": ""}, {"skills.refactor.explore"}),
    ],
)
def test_a_script_that_has_changed_under_it_is_not_served(
    now: Mapping[str, str], gone: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digests()
    assert set(now) <= before.keys()
    loaded = Loaded()
    assert loaded() == before
    monkeypatch.setattr(serving, "signature", lambda packages, everything: "another")
    monkeypatch.setattr(serving, "_read_anew", lambda: {**before, **now})
    assert before.keys() - loaded().keys() == gone


def test_nothing_is_served_if_the_files_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    loaded = Loaded()
    monkeypatch.setattr(serving, "signature", lambda packages, everything: "another")
    assert not loaded()
