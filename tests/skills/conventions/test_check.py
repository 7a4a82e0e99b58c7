"""The check finds text that is true only beside a change or a plan, and nothing else."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from skills.conventions.check import main
from tests.skills.conventions.scores import CLEAN, HALVES, samples, score

Captured = pytest.CaptureFixture[str]
BAD = "No longer throws"


def test_there_are_two_hundred_samples_half_of_them_contaminated() -> None:
    kinds = [sample.kind == CLEAN for sample in samples()]
    assert len(kinds) >= 200
    assert 0.45 < sum(kinds) / len(kinds) < 0.55


@pytest.mark.parametrize(("half", "precision", "recall"), [("tuning", 0.95, 0.9), ("held-out", 0.9, 0.7)])
def test_precision_and_recall_on_the_samples_are_high(half: str, precision: float, recall: float) -> None:
    scored = score(half)
    assert scored.precision >= precision, scored
    assert scored.recall >= recall, scored
    assert half in HALVES


FILES = {
    "a.py": (f's = "{BAD}"\n# {BAD}\n', [2]),
    "b.py": (f'def f():\n    """{BAD}."""\n', [2]),
    "c.ts": (f'const s = "// {BAD}";\n// {BAD}\n/* {BAD} */\n', [2, 3]),
    "d.sh": (f"echo '# {BAD}'\n# {BAD}\n", [2]),
    "e.md": (f"{BAD}.\n\n```\n{BAD}\n```\n", [1]),
    "torn.py": (f"def (:\n# {BAD}\n", [2]),
    "spared.py": (f"# {BAD} temporal-ok\n", []),
    "CHANGELOG.md": (f"{BAD}.\n", []),
}


@pytest.mark.parametrize("name", FILES)
def test_comments_and_prose_are_read_and_texts_are_not(name: str, tmp_path: Path, capsys: Captured) -> None:
    text, lines = FILES[name]
    (tmp_path / name).write_text(text)
    assert main([str(tmp_path / name), "--json"]) == (1 if lines else 0)
    data = json.loads(capsys.readouterr().out)
    assert [(one["file"], one["line"]) for one in data["findings"]] == [(str(tmp_path / name), n) for n in lines]


@pytest.mark.parametrize("name", ["b.py:1:3: baseline: x\na.py", "\x1b[31m.py", "\u202egpj.py", "\x85.py", "\udcff.py"])
def test_a_name_forges_no_line_of_the_report(name: str, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / name).write_text(f"# {BAD}\n")
    assert main([str(tmp_path / name)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert all(line.isprintable() for line in lines)


def test_a_folder_is_what_git_lists(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    monkeypatch.setenv("GIT_DIR", "/of/a/hook")  # git sets this for the hooks that it runs
    (tmp_path / ".gitignore").write_text("left.py\n")
    for name in ("left.py", "seen.py", "spared.py"):
        (tmp_path / name).write_text(f"# {BAD}\n")
    assert main([str(tmp_path), "--except", "*spared.py"]) == 1
    lines = capsys.readouterr().out.strip().split("\n")
    assert len(lines) == 2
    assert lines[0].startswith(f"{tmp_path / 'seen.py'}:1:3: ")


@pytest.mark.parametrize(
    "words", [(), ("/no/such/path",), ("-",), ("-", "--name", "a.unknown"), ("a.py", "--name", "b.py")]
)
def test_a_wrong_call_exits_with_2(words: tuple[str, ...], capsys: Captured) -> None:
    assert main(words) == 2
    data = capsys.readouterr()
    assert not data.out
    assert data.err


@pytest.mark.parametrize(("text", "status"), [(f"# {BAD}\n", 1), ("# Throws.\n", 0)])
def test_name_option_sets_the_language_of_standard_input(text: str, status: int) -> None:
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "skills.conventions.check", "-", "--name", "x.py"],
        input=text.encode(),
        capture_output=True,
        check=False,
    )
    assert ran.returncode == status, ran.stderr
