"""Code blocks of the documents, each with what a test does with it.

A block runs by its language, in the order of its page and in one project:

* `console`: each line `$ COMMAND`, with the output below it; `[...]` matches any lines, or the rest of one.
* `sh`: the whole block, as a script.
* `python`: in the names of the page's earlier blocks. A `text` or `xml` block after it is its output. Each step of a
  `WORKFLOW` that it defines must print.

A comment before a block, which a rendered page does not show, says something else:

* `<!-- file: PATH -->`: the block is written to this file of the project.
* `<!-- first: COMMAND -->`: this command runs before the block.
* `<!-- exits: N -->`: the block ends with this exit status.
* `<!-- user: TOOL -->`: a new user with this tool types the block, or with `any` (see `test_first_hour.py`).
* `<!-- as in: FILE -->`: the block is in this file too, a generated page or a file that other tests use.
* `<!-- not run: REASON -->`: the block does not hold code, or cannot run here.
"""

import io
import os
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from unittest.mock import patch

from markdown_it import MarkdownIt

from lib.workflow.core import Workflow
from tests.subjects import ROOT

if TYPE_CHECKING:
    from tests.wheel_users import User

_GLOBS: Final = ("*.md", "docs/*.md", "examples/**/README.md", "lib/**/README.md", "skills/**/README.md", "tests/*.md")
PAGES: Final = sorted(str(path.relative_to(ROOT)) for glob in _GLOBS for path in Path(ROOT).glob(glob))
GENERATED: Final = "by `make docs`; a test keeps it true"
"""Mark near the top of a page that is generated and compared by a test."""

_MARK: Final = re.compile(r"<!-- (?P<kind>[a-z ]+): (?P<value>.+) -->\n?\Z")
_KINDS: Final = ("file", "first", "exits", "user", "as in", "not run")
_COMMAND: Final = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


class Block(NamedTuple):
    """A code block of a page."""

    page: str
    line: int
    language: str
    text: str
    marks: dict[str, str]
    """The comments before the block."""

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"

    def match(self, command: str, output: str, expected: str) -> None:
        """Compare an output with that of the page."""
        whole = re.sub(r"^\[\.\.\.]$", "\0", expected, flags=re.MULTILINE)
        pattern = re.escape(whole).replace(re.escape("\0\n"), "(?:.*\n)*").replace(re.escape("[...]"), ".*")
        assert re.fullmatch(pattern, output), f"{self.place}: {command} printed\n{output}"


def read(page: str) -> str:
    """Return the text of a page of the repository."""
    return Path(ROOT, page).read_text(encoding="utf-8")


def blocks(page: str, text: str | None = None) -> Iterator[Block]:
    """Yield the code blocks of a page, or of a text."""
    text = read(page) if text is None else text
    marks: dict[str, str] = {}
    generated = GENERATED in text[:500]
    for token in MarkdownIt().parse(text):
        if token.type == "html_block" and (found := _MARK.match(token.content)):
            marks[found["kind"]] = found["value"]
        elif token.type in ("fence", "code_block"):
            language = token.info.split()[0] if token.info else ""
            if not generated or language == "python":
                yield Block(page, (token.map or [0])[0] + 1, language, token.content, marks)
            marks = {}
        elif token.level == 0:
            marks = {}


def faults(page: str, text: str | None = None) -> list[str]:
    """Return what is wrong with the marks of a page: blocks that nothing runs, unknown or useless comments."""
    found, shows = [], False
    for block in blocks(page, text):
        found += [f"{block.place}: unknown mark {kind!r}" for kind in block.marks if kind not in _KINDS]
        runs = block.language in ("console", "sh", "python") or (shows and block.language in ("text", "xml"))
        if not runs and not block.marks:
            found.append(f"{block.place}: a block that no test runs: give it a language that runs, or a mark")
        other = block.marks.get("as in")
        if other and (block.text not in read(other) or (other in PAGES and GENERATED not in read(other)[:500])):
            found.append(f"{block.place}: {other} does not have this block")
        shows = block.language == "python"
    return found


def follow(page: str, user: "User", text: str | None = None) -> None:
    """Write the files and run the blocks of a page, in order, in the user's project."""
    names: dict[str, object] = {"__name__": "page"}
    printed = ""
    for block in blocks(page, text):
        output, printed = printed, ""
        if block.marks.keys() & {"user", "as in", "not run"}:
            continue
        if "first" in block.marks:
            run(block, user, block.marks["first"])
        if "file" in block.marks:
            file = user.project / block.marks["file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text)
        elif block.language == "python":
            printed = execute(block, names)
        elif block.language == "console":
            for command, expected in _COMMAND.findall(block.text):
                block.match(command, run(block, user, command), expected)
        elif block.language == "sh":
            run(block, user, block.text)
        else:
            block.match("the block before it", output, block.text)


def run(block: Block, user: "User", command: str) -> str:
    """Run a command of a block and return what it prints."""
    done = user.run(command)
    status = int(block.marks.get("exits", "0"))
    assert done.returncode == status, f"{block.place}: {command} exits {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def execute(block: Block, names: dict[str, object]) -> str:
    """Execute Python in these names and return what it prints."""
    before = names.get("WORKFLOW")
    with patch.dict(os.environ, {"WORKFLOW_PYTHON": "python3 -I"}), redirect_stdout(io.StringIO()) as printed:
        exec(compile("\n" * block.line + block.text, block.page, "exec"), names)
        workflow = names.get("WORKFLOW")
        if isinstance(workflow, Workflow) and workflow is not before:
            for step in workflow.steps:
                assert workflow.run(step, workflow.context(step)).blocks, f"{block.place}: {step} prints nothing"
    return printed.getvalue()
