"""A throw-away project in git: a service of two files, with tests of its own."""

import os
import shutil
from typing import Final

from lib.workflow.state.git import ask_git
from lib.workflow.testing.reader import ReaderError

PROJECT: Final = "project"
"""Its folder, in that of the run."""
API: Final = "src/api.py"
LIMIT: Final = "src/limit.py"
README: Final = "README.md"
TEST: Final = "tests/test_limit.py"
FILES: Final = {
    API: 'def handle(request):\n    return "served"\n',
    "src/__init__.py": "",
    "tests/test_api.py": (
        "import doctest\nimport unittest\n\nfrom src import api\n\n\nclass Test(unittest.TestCase):\n"
        '    def test_it_serves(self):\n        self.assertEqual(api.handle("a"), "served")\n\n'
        "    def test_its_examples_are_true(self):\n        self.assertEqual(doctest.testmod(api).failed, 0)\n"
    ),
    "tests/__init__.py": "",
    README: "# Service\n",
}
MOVED: Final = '"""The service."""\n\n\ndef handle(request, *, quiet=False):\n    return "served"\n'
"""The file src/api.py after a change that somebody makes once the plan is approved."""
_OURS: Final = (
    *("-c", "user.name=x", "-c", "user.email=x", "-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null"),
    *("-c", "core.autocrlf=false", "-c", "core.excludesFile=", "-c", "init.templateDir=", "-c", "gc.auto=0"),
)
"""Settings that make the project the same for every user's git."""


def git(project: str, question: str, *words: str) -> str:
    """Return git's output. Raises ReaderError if git fails."""
    said = ask_git(project, question, *words, options=_OURS)
    if said.status:
        raise ReaderError(f"git {question} {' '.join(words)}: {said.errors}")
    return said.out


def read(project: str, file: str) -> str:
    """Return a file of the project, or empty text if it is missing."""
    path = os.path.join(project, *file.split("/"))
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as opened:
        return opened.read()


def write(project: str, file: str, text: str) -> None:
    """Write a file of the project."""
    path = os.path.join(project, *file.split("/"))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as opened:
        opened.write(text)


def commit(project: str, message: str) -> None:
    """Commit all changes, if there are any."""
    if git(project, "status", "--porcelain"):
        git(project, "add", "--all")
        git(project, "commit", "-q", "-m", message)


def begin(project: str) -> None:
    """Create the repository and its first commit, unless it exists: completely, or not at all."""
    if os.path.exists(project):
        return
    new = f"{project}.new"
    shutil.rmtree(new, ignore_errors=True)
    os.makedirs(new)
    git(new, "init", "-q", "-b", "main")
    for file, text in FILES.items():
        write(new, file, text)
    commit(new, "Begin")
    os.rename(new, project)


def move(project: str) -> None:
    """Change the project between the approval of the plan and its execution."""
    if read(project, API) in (FILES[API], MOVED):
        write(project, API, MOVED)
        commit(project, "Move")
