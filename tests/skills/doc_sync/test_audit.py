"""Findings of the check in a tree with ten seeded faults, in this repository, and rule by rule."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from skills.doc_sync.audit.findings import FindingKind
from skills.doc_sync.check import main
from tests.skills.doc_sync.folders import INDEX, found, made
from tests.subjects import ROOT

SAMPLE = Path(__file__).with_name("sample")
SEEDED = [
    ("CLAUDE.md", 1, "missing-entry"),
    ("CLAUDE.md", 9, "stale-entry"),
    ("CLAUDE.md", 10, "dead-entry"),
    ("CLAUDE.md", 12, "ignored-entry"),
    ("CLAUDE.md", 15, "double-entry"),
    ("CLAUDE.md", 17, "prose"),
    ("README.md", 6, "dead-link"),
    ("README.md", 7, "dead-anchor"),
    ("README.md", 18, "dead-command"),
    ("src/CLAUDE.md", 1, "missing-index"),
]
HOME = {"README.md": "# A\n", "CLAUDE.md": f"{INDEX}| `README.md` | first |\n"}
"""A folder without faults."""
GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]


@pytest.mark.parametrize("committed", [True, False])
def test_every_seeded_fault_is_found_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], committed: bool
) -> None:
    shop = shutil.copytree(SAMPLE, tmp_path / "shop")
    if committed:
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
            subprocess.run([*GIT, "-C", shop, *words], check=True)
    (shop / "out").mkdir()
    (shop / "out" / "report.html").touch()
    assert found(shop, capsys) == SEEDED


def test_nothing_is_wrong_with_this_repository(capsys: pytest.CaptureFixture[str]) -> None:
    assert found(Path(ROOT), capsys) == []


@pytest.mark.parametrize(
    ("name", "missing"),
    [("README.rst", False), ("Readme.TXT", False), ("README", False), ("readme.py", True), ("README.rst.bak", True)],
)
def test_readme_in_another_text_format_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, missing: bool
) -> None:
    (tmp_path / name).write_text("a")
    (tmp_path / "CLAUDE.md").write_text(f"{INDEX}| `{name}` | first |\n")
    assert found(tmp_path, capsys) == ([("README.md", 1, "missing-readme")] if missing else [])


ROW = "| `README.md` | first |\n"
CASES: dict[str, tuple[dict[str, str], list[tuple[str, int, str]]]] = {
    "a sound folder": ({}, []),
    "an empty README": ({"README.md": "", "CLAUDE.md": INDEX}, []),
    "a file without a row": ({"a.txt": "a"}, [("CLAUDE.md", 1, "missing-entry")]),
    "a file that is empty or hidden": ({"a.txt": "", ".b": "b", ".c/d.txt": "d"}, []),
    "a name without backticks": ({"a.txt": "a", "CLAUDE.md": f"{INDEX}{ROW}| a.txt | x |\n"}, []),
    "a row that names nothing": ({"CLAUDE.md": f"{INDEX}{ROW}| all of it | x |\n"}, [("CLAUDE.md", 4, "unclear-row")]),
    "a row without a reason": ({"CLAUDE.md": f"{INDEX}| `README.md` | |\n"}, [("CLAUDE.md", 3, "unclear-row")]),
    "a row for a folder above": ({"CLAUDE.md": f"{INDEX}{ROW}| `../a` | x |\n"}, [("CLAUDE.md", 4, "foreign-entry")]),
    "a row for a place": ({"CLAUDE.md": f"{INDEX}{ROW}| `/etc` | x |\n"}, [("CLAUDE.md", 4, "foreign-entry")]),
    "a pattern for all": ({"CLAUDE.md": f"{INDEX}{ROW}| `*` | x |\n"}, [("CLAUDE.md", 4, "unclear-row")]),
    "a row that is named from the root": (
        {"a/b/c.txt": "c", "a/CLAUDE.md": f"{INDEX}| `a/b/` | x |\n", "CLAUDE.md": f"{INDEX}{ROW}| `a/` | x |\n"},
        [("a/CLAUDE.md", 1, "missing-entry"), ("a/CLAUDE.md", 3, "dead-entry")],
    ),
    "a row for a home folder": ({"CLAUDE.md": f"{INDEX}{ROW}| `~/a` | x |\n"}, [("CLAUDE.md", 4, "foreign-entry")]),
    "a link to a home folder": ({"README.md": "[a](~/b)"}, [("README.md", 1, "dead-link")]),
    "a kind that the repository allows": (
        {"CLAUDE.md": f"What this is.\n\n{INDEX}{ROW}", ".docsyncignore": "prose: CLAUDE.md\n"},
        [],
    ),
    "a kind that is allowed in another page": (
        {"CLAUDE.md": f"What this is.\n\n{INDEX}{ROW}", ".docsyncignore": "prose: a/CLAUDE.md\n"},
        [(".docsyncignore", 1, "dead-entry"), ("CLAUDE.md", 1, "prose")],
    ),
    "quiet files that git ignores": (
        {".gitignore": ".docsyncignore\n", ".docsyncignore": "a.txt\n", "a.txt": "a"},
        [],
    ),
    "a pattern for nothing": ({"CLAUDE.md": f"{INDEX}{ROW}| `*.c` | x |\n"}, [("CLAUDE.md", 4, "dead-entry")]),
    "a pattern for files and a folder of that form": (
        {"t_a/b.txt": "b", "t_c": "c", "CLAUDE.md": f"{INDEX}{ROW}| `t_*` | x |\n"},
        [("CLAUDE.md", 1, "missing-entry")],
    ),
    "a pattern for folders": ({"t_a/b": "b", "t_c/d": "d", "CLAUDE.md": f"{INDEX}{ROW}| `t_*/` | x |\n"}, []),
    "a file written as a folder": (
        {"CLAUDE.md": f"{INDEX}{ROW}| `README.md/` | x |\n"},
        [("CLAUDE.md", 4, "double-entry")],
    ),
    "a file that is deeper, written as a folder": (
        {"a/b": "b", "CLAUDE.md": f"{INDEX}{ROW}| `a`, `a/b/` | x |\n"},
        [("CLAUDE.md", 4, "dead-entry")],
    ),
    "a name with brackets": ({"[id].txt": "a", "CLAUDE.md": f"{INDEX}{ROW}| `[id].txt` | x |\n"}, []),
    "a name of another case": ({"CLAUDE.md": f"{INDEX}{ROW}| `Readme.md` | x |\n"}, [("CLAUDE.md", 4, "dead-entry")]),
    "prose around a table": (
        {"CLAUDE.md": f"a\n\n- b\n\n{INDEX}{ROW}\n```\nc\n```\n"},
        [("CLAUDE.md", 1, "prose"), ("CLAUDE.md", 9, "prose")],
    ),
    "comments and rules": ({"CLAUDE.md": f"<!-- a -->\n\n---\n\n{INDEX}{ROW}"}, []),
    "a link out": ({"README.md": "[a](../../../../etc/passwd)"}, [("README.md", 1, "dead-link")]),
    "a link in another form": (
        {"README.md": '<a href="b%20c.md">b</a> <i\n> [e](f)\n\n<p>\n<img src="d">'},
        [("README.md", 1, "dead-link"), ("README.md", 2, "dead-link"), ("README.md", 5, "dead-link")],
    ),
    "a link to a file as a folder": ({"README.md": "[a](CLAUDE.md/)"}, [("README.md", 1, "dead-link")]),
    "a link to what is ignored": (
        {".gitignore": "x.md\n", "x.md": "", "README.md": "[a](x.md)"},
        [("README.md", 1, "dead-link")],
    ),
    "an anchor in HTML": ({"README.md": '<a name="b"></a><p id="c">\n\n[a](#b) [a](#c)'}, []),
    "an anchor that is encoded": ({"README.md": "# Größe\n\n[a](#gr%C3%B6%C3%9Fe) [a](#größe)"}, []),
    "anchors of headings that repeat": ({"README.md": "# E\n# E\n# E-1\n[a](#e) [a](#e-1) [a](#e-1-1)"}, []),
    "an anchor within a file that is not a page": (
        {"a.txt": "a", "README.md": "[a](a.txt#L3)", "CLAUDE.md": f"{INDEX}{ROW}| `a.txt` | x |\n"},
        [],
    ),
    "a path of a folder that is there": (
        {
            "a/b.txt": "b",
            "README.md": "`a/c.txt` `z/c.txt` `a/b.txt` `./configure`",
            "CLAUDE.md": f"{INDEX}{ROW}| `a/` | x |\n",
        },
        [("README.md", 1, "dead-path")],
    ),
    "a module of a package that is there": (
        {
            "a/b.py": "b",
            "a/c/__main__.py": "c",
            "README.md": "    python3 -P -m a.d\n    python -m a.b\n    python -m a.c\n    python -m x.y\n",
            "CLAUDE.md": f"{INDEX}{ROW}| `a/` | x |\n",
        },
        [("README.md", 1, "dead-command")],
    ),
    "a pattern of quiet files that fits nothing": (
        {".docsyncignore": "# a\na\n"},
        [(".docsyncignore", 2, "dead-entry")],
    ),
    "many files": (
        {f"a/{n}.txt": "a" for n in range(51)} | {"CLAUDE.md": f"{INDEX}{ROW}| `a/` | x |\n"},
        [("a/CLAUDE.md", 1, "missing-index")],
    ),
    "many files and folders of data": (
        {f"a/{n}/b.json": "b" for n in range(9)}
        | {f"a/{n}.PNG": "a" for n in range(51)}
        | {"a/README.md": "a", "CLAUDE.md": f"{INDEX}{ROW}| `a/` | x |\n"},
        [],
    ),
    "many folders of data and few of others": (
        {f"a/{n}/b.csv": "b" for n in range(9)}
        | {f"a/{n}/b.py": "b" for n in range(3)}
        | {"CLAUDE.md": f"{INDEX}{ROW}| `a/` | x |\n"},
        [],
    ),
    "many folders with one file besides data": (
        {f"a/{n}/b.csv": "b" for n in range(4)}
        | {f"a/{n}/c/d.py": "b" for n in range(4)}
        | {"CLAUDE.md": f"{INDEX}{ROW}| `a/` | x |\n"},
        [("a/CLAUDE.md", 1, "missing-index"), ("a/README.md", 1, "missing-readme")],
    ),
    "a page that need not be": (
        {f"a/{n}/b.txt": "b" for n in range(4)}
        | {"CLAUDE.md": f"{INDEX}{ROW}| `a/` | x |\n", ".docsyncignore": "a/README.md\na/CLAUDE.md\n"},
        [],
    ),
    "many folders": (
        {f"a/{n}/b.txt": "b" for n in range(4)} | {"CLAUDE.md": f"{INDEX}{ROW}| `a/` | x |\n"},
        [("a/CLAUDE.md", 1, "missing-index"), ("a/README.md", 1, "missing-readme")],
    ),
}


@pytest.mark.parametrize(("files", "expected"), CASES.values(), ids=CASES.keys())
def test_a_rule_finds_what_breaks_it(
    files: dict[str, str], expected: list[tuple[str, int, str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert found(made(tmp_path, HOME | files), capsys) == expected


def test_every_kind_is_among_what_these_tests_find() -> None:
    tried = {kind for _, _, kind in SEEDED} | {kind for _, expected in CASES.values() for _, _, kind in expected}
    assert tried | {"unreadable"} == set(FindingKind)  # `test_hostile.py` has the pages that cannot be read


@pytest.mark.parametrize(
    ("page", "text", "hint"),
    [
        ("a/CLAUDE.md", f"{INDEX}| `a/b/c.txt` | x |\n", "`b/c.txt`"),
        (
            "a/CLAUDE.md",
            f"{INDEX}| `e/f.txt` | x |\n",
            "e/f.txt",
        ),
        ("a/d.md", "[c](a/b/c.txt)", "`b/c.txt`"),
        ("a/d.md", "[f](e/f.txt#L1)", "`../e/f.txt`"),
        ("a/CLAUDE.md", f"{INDEX}| `~/c.txt` | x |\n", "~/c.txt"),
        ("a/d.md", "[c](~/c.txt)", "~/c.txt"),
    ],
)
def test_the_hint_says_how_a_path_of_another_start_is_written(
    page: str, text: str, hint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made(tmp_path, HOME | {"a/b/c.txt": "c", "e/f.txt": "f", page: text})
    main([os.fspath(tmp_path)])
    assert hint in capsys.readouterr().out


def test_only_the_folder_that_is_asked_for_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(tmp_path, HOME | {"a/b.md": "[up](../README.md) [dead](../none.md)", "c/d.md": "[dead](x.md)"})
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    assert found(tmp_path / "a", capsys) == [("a/b.md", 1, "dead-link")]


def test_deleted_file_still_in_the_git_index_is_ignored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(tmp_path, HOME | {"a.txt": "a"})
    for words in (["init", "-q"], ["add", "."]):
        subprocess.run([*GIT, "-C", tmp_path, *words], check=True)
    os.remove(tmp_path / "a.txt")
    assert found(tmp_path, capsys) == []


def test_a_repository_within_is_one_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made(tmp_path, HOME | {"a/README.md": "[a](none.md)"})
    for folder in (tmp_path / "a", tmp_path):
        subprocess.run(["git", "init", "-q", folder], check=True)
    assert found(tmp_path, capsys) == [("CLAUDE.md", 1, "missing-entry")]
