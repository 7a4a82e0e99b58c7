"""A new skill passes the proof unchanged, and takes no name that is taken."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.app.skeleton.write import FILES, folder_of, skeleton, write
from lib.workflow.app.skills.overview import BEGIN, END
from lib.workflow.app.skills.register_skill import ROW
from tests.plugins.sites import only
from tests.subjects import ROOT
from tests.wording import carries

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Create the package of a user's project, the only one installed."""
    folder = tmp_path / "acme"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    only("acme", monkeypatch)
    yield folder
    for name in [name for name in sys.modules if name.startswith("acme")]:
        del sys.modules[name]


@pytest.mark.parametrize("name", ["demo", "a-b-2", "x" * 64])
def test_a_new_skill_is_found_and_proved_without_an_edit(name: str, acme: Path, capsys: Captured) -> None:
    assert main(["new", name, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["package"], made["folder"]) == ("acme", str(acme / folder_of(name)))
    assert sorted(os.listdir(made["folder"])) == sorted(made["files"])
    assert main(["validate", "acme", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"]["workflows"] == 1
    assert main(["show", name]) == 0
    assert f"-m acme.{folder_of(name)}.run --step 1" in capsys.readouterr().out


def test_a_new_skill_takes_its_place_in_the_index_and_in_the_readmes_table(acme: Path, capsys: Captured) -> None:
    index, readme = acme / "CLAUDE.md", acme.parent / "README.md"
    index.write_text("# acme\n\n| open | when |\n|---|---|\n| `old/` | it was there |\n\nMore.\n")
    readme.write_text(f"# Acme\n\n{BEGIN}\n\n{END}\n")
    assert main(["new", "demo", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pages"] == [str(index), str(readme)]
    assert index.read_text().splitlines()[4:6] == ["| `old/` | it was there |", ROW.format(name="demo").strip()]
    assert "| [demo](acme/demo/SKILL.md) |" in readme.read_text()


def test_new_skill_creates_no_missing_index_pages(acme: Path, capsys: Captured) -> None:
    assert main(["new", "demo", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pages"] == []
    assert {*os.listdir(acme)} - {"__pycache__"} == {"__init__.py", "demo"}


def test_a_new_skill_is_formatted_and_in_order_as_the_project_wants_it(acme: Path, capsys: Captured) -> None:
    assert main(["new", "some-skill"]) == 0
    shown = capsys.readouterr().out
    assert all(file in shown for file, template in FILES.items() if template)
    for words in (["check"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *words, "--no-cache", "--config", os.path.join(ROOT, "pyproject.toml")]
        run = subprocess.run([*command, str(acme)], capture_output=True, encoding="utf-8", check=False)
        assert run.returncode == 0, run.stdout


@pytest.mark.parametrize(
    "name",
    ["", "Demo", "a_b", "a b", "-a", "a-", "a--b", "1a", "../x", "a/b", ".", "class", "x" * 65, "é", "a\n", "a\x1b[0m"],
)
def test_name_that_clients_or_python_refuse_creates_nothing(name: str, acme: Path, capsys: Captured) -> None:
    assert main(["new", "--", name]) == 2
    assert capsys.readouterr().err.startswith("stepscript: ")
    assert os.listdir(acme) == ["__init__.py"]


@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_existing_files_are_not_touched(kind: str, acme: Path, capsys: Captured) -> None:
    place = acme / "some_skill"
    if kind == "folder":
        place.mkdir()
    elif kind == "file":
        place.touch()
    else:
        place.symlink_to("nowhere")
    assert main(["new", "some-skill"]) == 2
    assert "NAME:" in capsys.readouterr().err
    assert sorted(os.listdir(acme)) == ["__init__.py", "some_skill"]


def test_a_name_that_a_workflow_has_is_refused(acme: Path, capsys: Captured) -> None:
    assert main(["new", "demo"]) == 0
    assert main(["new", "demo"]) == 2
    assert carries(capsys.readouterr().err, "'demo' … acme.demo.workflow")


@pytest.mark.parametrize(
    ("package", "says"),
    [
        ("acmee", "'acmee'. … acme?"),
        ("../acme", "'../acme'"),
        ("acme.no.such", "'acme.no.such'"),
        ("sys", "'sys'"),
        ("attr", "attr"),
        ("json", "json"),
    ],
)
def test_unsuitable_package_is_refused(package: str, says: str, acme: Path, capsys: Captured) -> None:
    assert main(["new", "demo", "--package", package]) == 2
    assert carries(capsys.readouterr().err, says)


def test_a_skill_goes_into_the_package_below_the_working_directory(
    acme: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr("lib.workflow.app.skills.packages.added", lambda _: {"a": "acme", "b": "tests.workflows"})
    monkeypatch.chdir("/")
    assert main(["new", "demo"]) == 2
    assert "--package: acme, tests.workflows" in capsys.readouterr().err
    monkeypatch.chdir(tmp_path)
    assert main(["new", "demo"]) == 0
    assert (acme / "demo" / "workflow.py").exists()
    only("attr", monkeypatch)
    assert main(["new", "other"]) == 0
    assert (tmp_path / "skills" / "other" / "workflow.py").exists()


def test_skill_that_cannot_be_written_completely_is_not_written(tmp_path: Path, acme: Path, capsys: Captured) -> None:
    with pytest.raises(OSError, match="No such file"):
        write({"a": "x", "no/such": "y"}, str(tmp_path / "skill"))
    assert os.listdir(tmp_path) == ["acme"]
    with pytest.raises(OSError, match="not empty"):
        write(skeleton("demo", "acme"), str(acme))
    assert sorted(os.listdir(tmp_path)) == ["acme"]
