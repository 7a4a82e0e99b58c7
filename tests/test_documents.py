"""Each code block of the documents runs as shown, or says why it does not."""

import os
import re
import sys
from pathlib import Path
from pkgutil import resolve_name

import pytest

from lib.workflow.app import forms
from lib.workflow.app.install import sources
from lib.workflow.app.skills import packages, words
from tests.documents import PAGES, blocks, faults, follow, read
from tests.wheel_users import User

BIN = os.path.dirname(sys.executable)
RUN = [page for page in PAGES if any("not run" not in block.marks for block in blocks(page))]


@pytest.fixture
def user(tmp_path: Path) -> User:
    """A user of this checkout."""
    made = User(tmp_path)
    ours = {"PATH": f"{BIN}:{made.environment['PATH']}", "PIP_NO_BUILD_ISOLATION": "0"}
    made.environment = {**made.environment, **ours}
    return made


@pytest.mark.parametrize("page", PAGES)
def test_each_block_is_run_or_says_why_not(page: str) -> None:
    assert faults(page) == []


@pytest.mark.parametrize("page", RUN)
def test_blocks_of_a_page_do_what_the_page_shows(page: str, user: User) -> None:
    follow(page, user)


@pytest.mark.parametrize(
    ("text", "faulty"),
    [
        ("    make test\n", True),
        ("```\nx\n```\n", True),
        ("```toml\nx = 1\n```\n", True),
        ("* item\n\n  ```json\n  {}\n  ```\n", True),
        ("```text\nx\n```\n", True),
        ("<!-- not run: a drawing -->\n\nWords.\n\n```text\nx\n```\n", True),
        ("<!-- file: -->\n```toml\nx = 1\n```\n", True),
        ("<!-- ran: later -->\n```sh\ntrue\n```\n", True),
        ("<!-- as in: docs/nodes.md -->\n```sh\nfalse\n```\n", True),
        ("<!-- not run: a drawing -->\n```text\nx\n```\n", False),
        ("<!-- not run: a drawing -->\n\n    make test\n", False),
        ("<!-- file: a/b.toml -->\n```toml\nx = 1\n```\n", False),
        ("```python\nprint(1)\n```\n\n```text\n1\n```\n", False),
    ],
)
def test_block_without_a_language_that_runs_needs_a_mark(text: str, faulty: bool) -> None:
    assert bool(faults("page.md", text)) is faulty


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("```console\n$ echo a; echo b\na\n[...]\n$ echo c\nc\n```\n", True),
        ("```console\n$ echo a\nb\n```\n", False),
        ("```console\n$ true\n$ false\n```\n", False),
        ("<!-- exits: 1 -->\n```console\n$ false\n```\n", True),
        ("```sh\ntouch a\n```\n\n```sh\nrm a\n```\n", True),
        ("```sh\nrm a\n```\n", False),
        ("<!-- first: touch a -->\n```sh\nrm a\n```\n", True),
        ("<!-- file: d/a -->\n```toml\nx = 1\n```\n\n```console\n$ cat d/a\nx = 1\n```\n", True),
        ("```python\nx = 1\n```\n\n```python\nprint(x)\n```\n\n```text\n1\n```\n", True),
        ("```python\nprint(1)\n```\n\n```text\n2\n```\n", False),
    ],
)
def test_a_page_whose_output_differs_fails(text: str, right: bool, user: User) -> None:
    if right:
        follow("page.md", user, text)
    else:
        with pytest.raises(AssertionError):
            follow("page.md", user, text)


def test_each_page_for_users_is_in_the_navigation_and_linked_from_the_readme() -> None:
    pages = {page for page in PAGES if page.startswith(("docs/", "examples/"))}
    shown = set(re.findall(r"^ *- (\S+\.md)$", read("mkdocs.yml"), re.MULTILINE))
    assert pages <= shown
    found, new = set[str](), {"README.md"}
    while new:
        found |= new
        links = {(page, link) for page in new for link in re.findall(r"\]\(([^):#]+\.md)", read(page))}
        linked = {os.path.normpath(os.path.join(os.path.dirname(page), link)) for page, link in links}
        new = (linked & {*PAGES}) - found
    assert pages <= found


def test_every_point_of_extension_has_a_row_on_the_page_of_packages() -> None:
    groups = {forms.GROUP, packages.GROUP, sources.ROLES, sources.SESSION, words.GROUP}
    rows = re.findall(r"^\| `(stepscript\.\w+)` \|", read("docs/packaging.md"), re.MULTILINE)
    assert sorted(rows) == sorted(groups)


@pytest.mark.parametrize("page", PAGES)
def test_modules_of_ours_that_a_page_names_exist(page: str) -> None:
    for name in sorted(set(re.findall(r"(?<![\w.])(?:skills|lib)(?:\.[a-z_0-9]+)+", read(page)))):
        assert resolve_name(name), name  # raises if it does not exist
