"""Check for text that is true only beside a change, a plan or an author: `python3 -m skills.conventions.check PATH`."""

import sys
from collections.abc import Sequence
from typing import Final

from lib.workflow.arguments.stdin import read_input
from lib.workflow.cli.parser import Help, Parser
from lib.workflow.cli.script import FORMS, run
from lib.workflow.errors import UsageError
from lib.workflow.util.output import DONE, REFUSED

from .timeless.files import INPUT, MAX_BYTES, Source, decoded, sources
from .timeless.languages import language_of
from .timeless.report import Report, as_json, as_text, explained
from .timeless.scan import findings

EPILOG: Final = """\
kinds of findings (skills/conventions/temporal.md):
{kinds}

What is read: comments and docstrings of code, prose of Markdown (no code
blocks, nothing quoted); of a folder, what git lists. Changelogs and decision
records are left out, and so is a line with the word `temporal-ok`.

exit status:
  0  nothing found
  1  findings, one a line: file:line:column: kind: wording; what to do
  2  wrong usage; see standard error
  4  standard output cannot be written

A hook for https://pre-commit.com, in .pre-commit-config.yaml:
  - repo: local
    hooks:
      - id: timeless
        name: comments tell what is
        entry: python3 -m skills.conventions.check
        language: system
        types: [text]
Plain git, in .git/hooks/pre-commit:
  git diff --cached --name-only --diff-filter=ACM -z |
    xargs -0 -r python3 -m skills.conventions.check --"""


def main(argv: Sequence[str] | None = None) -> int:
    """Check the paths and return the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    return run("skills.conventions.check", words, FORMS, lambda: _answer(words))


def accepts(words: Sequence[str]) -> None:
    """Raise UsageError for words that the command does not accept."""
    _parser("").parse_args(words)


def _parser(kinds: str) -> Parser:
    parser = Parser(
        prog="python3 -m skills.conventions.check",
        description="Finds text that is true only beside a change, a plan or an author.",
        epilog=EPILOG.format(kinds=kinds),
        formatter_class=Help,
        allow_abbrev=False,
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, or - for standard input")
    parser.add_argument("--name", metavar="FILE", help="file name for standard input, which determines its language")
    parser.add_argument(
        "--except",
        dest="spared",
        action="append",
        default=[],
        metavar="PATTERN",
        help="paths to leave out, such as 'tests/*'",
    )
    parser.add_argument("--json", action="store_true", help="for programs")
    return parser


def _answer(words: Sequence[str]) -> tuple[int, str]:
    """Return the exit status and the text to print."""
    arguments = _parser(explained()).parse_args(words)
    paths: list[str] = arguments.paths
    name: str | None = arguments.name
    if (INPUT in paths) != (name is not None):
        raise UsageError("use '-' and --name together: python3 -m skills.conventions.check - --name notes.md")
    found = []
    files = 0
    for source in sources([path for path in paths if path != INPUT], arguments.spared):
        files += 1
        found += [(source.path, one) for one in findings(source.text, source.language)]
    if name is not None:
        language = language_of(name)
        if language is None:
            raise UsageError(f"{name!r:.200}: no known language has this file name; give one like a.py, b.ts or c.md")
        source = Source(name, language, decoded(_given()))
        files += 1
        found += [(source.path, one) for one in findings(source.text, source.language)]
    report = Report(files, found)
    return (REFUSED if found else DONE), (as_json if arguments.json else as_text)(report)


def _given() -> bytes:
    """Return the bytes on standard input. Raises UsageError if they cannot be read."""
    try:
        return read_input(MAX_BYTES)
    except ValueError as error:
        raise UsageError(f"{error}; give the text on standard input, by `< FILE`") from None


if __name__ == "__main__":
    raise SystemExit(main())
