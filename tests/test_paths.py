"""Paths stay in the project, and have one form, by any entry point."""

import pytest

from lib.workflow.util.paths import file_key, project_path

OUTSIDE = ("/etc/passwd", "../x", "a/../../x", "a/..", "..", "C:/x", "c:x", "\\\\host\\x", "a\\b", "~/x", "~root/x")
BLANKS = (
    " /etc/passwd",
    "/etc/passwd ",
    " .git/config",
    ".git /config",
    " ../x",
    "../x ",
    "a/ b",
    "a /b",
    "a.py ",
    "\u00a0a",
    "a/\u2003b",
    "\t.git",
)
UNSEEN = ("a\u200bb", ".g\u200dit/config", "\ufeffa", "a\u202eb", ".\u200d./x", "a/\u2066b")
GITS = (".git/config", ".GIT/x", "a/.git/x", ".git./x", "GIT~1/x", ".git")
FOLDERS = ("", " ", ".", "./", "a/", "a/.", "/")
NOT_ONES = (".git/hooks/post-commit", "sub/.GIT/config", "a\nb", "a\x00b", "a" * 1001)


@pytest.mark.parametrize("path", OUTSIDE + FOLDERS + NOT_ONES + BLANKS + UNSEEN + GITS)
def test_path_outside_the_project_or_malformed_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match=r"path |1,000|U\+"):
        project_path(path)


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("src/a.py", "src/a.py"),
        ("./src//./a.py", "src/a.py"),
        ("..config.py", "..config.py"),
        ("...", "..."),
        (".gitignore", ".gitignore"),
        (".github/x.yml", ".github/x.yml"),
        ("a b/é.py", "a b/é.py"),
        ("می\u200cخواهم.md", "می\u200cخواهم.md"),
        ("a~b.py", "a~b.py"),
        ("x.git/y", "x.git/y"),
    ],
)
def test_a_file_of_the_project_has_one_form(path: str, form: str) -> None:
    assert project_path(path) == form == project_path(form)


@pytest.mark.parametrize(
    ("one", "other"), [("App.py", "app.py"), ("\u00e9.py", "e\u0301.py"), ("STRASSE.py", "stra\u00dfe.py")]
)
def test_two_spellings_of_one_file_have_one_key(one: str, other: str) -> None:
    assert file_key(one) == file_key(other)
