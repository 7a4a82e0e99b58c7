"""`stepscript validate` checks each skill file against the format and against the workflow."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lib.workflow.app.install.sources import skills
from lib.workflow.app.main import main
from lib.workflow.app.skeleton.write import skeleton, write
from lib.workflow.discovery import search
from tests.plugins.sites import only

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def skill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Create a package with one skill, and return its skill file."""
    (tmp_path / "acme").mkdir()
    (tmp_path / "acme" / "__init__.py").touch()
    write(skeleton("look-round", "acme"), str(tmp_path / "acme" / "look_round"))
    monkeypatch.syspath_prepend(tmp_path)
    only("acme", monkeypatch)
    yield tmp_path / "acme" / "look_round" / "SKILL.md"
    for name in [name for name in sys.modules if name.startswith("acme")]:
        del sys.modules[name]


def findings(capsys: Captured) -> list[str]:
    status = main(["validate", "acme", "--json"])
    found = [finding["what"] for finding in json.loads(capsys.readouterr().out)["findings"]]
    assert status == (1 if found else 0)
    return found


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("--step 1", "--step 9", "1 to 2"),
        ("--step 1", "--step 0", "1 to 2"),
        ("--step 1", "", "`python3 -m acme.look_round.run`"),
        ("--step 1", "--step 1 --task x", "--task"),
        ("acme.look_round.run", "acme.look_round.rum", "`python3 -m acme.look_round.rum`"),
        ("acme.look_round.run --step 1", "json.tool", "`python3 -m acme.look_round.run --step 1`"),
        ("name: look-round", "name: look", "write 'look-round'"),
        ("name: look-round", "name: Look_Round", "lower-case"),
        ("name: look-round", "nam: look-round", "lower-case"),
        ("description: ", f"description: {'x' * 1024}", "1 to 1,024"),
        ("description: ", "description: <b>", "without <"),
        ("description: ", "colour: red\ndescription: ", "'colour'"),
        ("---\nname", "name", "`---`"),
    ],
)
def test_fault_of_a_skill_file_is_found_and_not_installed(
    old: str, new: str, says: str, skill: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = skill.read_text()
    assert old in text
    skill.write_text(text.replace(old, new, 1))
    assert says in "\n".join(findings(capsys))
    (skill.parents[2] / "project").mkdir()
    monkeypatch.chdir(skill.parents[2] / "project")
    for words in ([], ["--yes"]):
        assert main(["install", "--agent", "claude", *words]) in (1, 2)
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize(
    ("old", "new", "description"),
    [
        ("description: ", "metadata:\n  author: me\n  version: 1\ndescription: ", "Researches"),
        ("description: Researches", 'description: "Says \\"it\\": a', 'Says "it": a'),
        ("description: Researches", "description: 'It''s", "It's"),
        ("description: ", "compatibility: needs git\nallowed-tools: Bash(git:*)\ndescription: ", "Researches"),
    ],
)
def test_forms_that_the_format_allows_are_in_order(
    old: str, new: str, description: str, skill: Path, capsys: Captured
) -> None:
    text = skill.read_text().replace(old, new, 1)
    quote = new.partition("description: ")[2][:1]
    if quote in ("'", '"'):
        line = next(line for line in text.splitlines() if line.startswith("description: "))
        text = text.replace(line, line + quote)
    skill.write_text(text)
    assert findings(capsys) == []
    (found,) = skills(["acme"])
    assert found.description.startswith(description)


def test_missing_skill_file_is_found_with_its_likely_cause(skill: Path, capsys: Captured) -> None:
    skill.unlink()
    (finding,) = findings(capsys)
    assert "package-data" in finding


def test_our_own_skill_files_have_no_fault() -> None:
    from lib.workflow.app.install.doctor.skill_files import faults

    assert list(faults("skills", search("skills")[0])) == []
