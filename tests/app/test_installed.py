"""Entry points are read like `importlib.metadata` reads them, only faster."""

from importlib.metadata import entry_points
from pathlib import Path

import pytest

from lib.workflow.app.skills.installed import added


def install(site: Path, name: str, text: str | bytes, kind: str = "dist-info") -> None:
    folder = site / f"{name}-1.0.{kind}"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_bytes(text if isinstance(text, bytes) else text.encode())


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("[demo.group]\na = x\n", {"a": "x"}),
        ("[other]\na = x\n[demo.group]\nb=y:z\n\n[more]\nc = d\n", {"b": "y:z"}),
        ("[demo.group]\n# a = x\n; b = y\n c  =  d.e : f \n", {"c": "d.e : f"}),
        ("[demo.group]\na = x [extra]\nnothing\n", {"a": "x"}),
        ("a = [demo.group]\n[demo.group]\n", {}),
        (b"[demo.group]\na = \xff\n", {}),
    ],
)
def test_entry_point_group_is_read_from_any_surrounding_text(
    text: str | bytes, read: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "some", text)
    monkeypatch.syspath_prepend(tmp_path)
    assert added("demo.group") == read


def test_first_distribution_on_the_path_wins_for_a_duplicate_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for site, value in (("late", "late"), ("early", "early")):
        install(tmp_path / site, site, f"[demo.group]\na = {value}\n{site} = x\n", "egg-info")
        monkeypatch.syspath_prepend(tmp_path / site)
    monkeypatch.syspath_prepend(tmp_path / "nowhere")
    assert added("demo.group") == {"a": "early", "early": "x", "late": "x"}


@pytest.mark.parametrize("group", ["stepscript.skills", "console_scripts", "pytest11"])
def test_entry_points_match_those_of_the_standard_library(group: str) -> None:
    assert added(group).items() == {(point.name, point.value) for point in entry_points(group=group)}
