"""Check of a repository's indexes, READMEs and links: `python3 -m skills.doc_sync.check DIR`."""

import sys
from collections.abc import Sequence
from typing import Final

from lib.workflow.cli.parser import Help, Parser
from lib.workflow.cli.script import FORMS, run
from lib.workflow.util.output import DONE, REFUSED

from . import report
from .audit.audit import audit
from .audit.presence import grounds
from .audit.tree import survey

EPILOG: Final = """\
exit status:
  0  nothing found (or the folders listed)
  1  findings: the count of each kind, then `file:line: kind: fault; fix`, at most 200 lines
  2  wrong usage; see standard error
  4  standard output cannot be written

What each kind means: conventions.md beside this script. .docsyncignore in the root of the repository names what is not
checked, one path or pattern a line; `kind: pattern` allows one kind of finding in the pages of a pattern."""


def main(argv: Sequence[str] | None = None) -> int:
    """Check a folder and return the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    return run("skills.doc_sync.check", words, FORMS, lambda: _answer(words))


def accepts(words: Sequence[str]) -> None:
    """Raise UsageError for words that the command does not accept."""
    _parser().parse_args(words)


def _parser() -> Parser:
    parser = Parser(
        prog="python3 -m skills.doc_sync.check",
        description="Find faults in the indexes (CLAUDE.md), READMEs and links of a folder.",
        epilog=EPILOG,
        formatter_class=Help,
        allow_abbrev=False,
    )
    parser.add_argument("directory", nargs="?", default=".", metavar="DIR", help="the folder to check (default: this)")
    parser.add_argument(
        "--folders", action="store_true", help="list the folders, with the pages that each has and needs"
    )
    parser.add_argument("--all", action="store_true", help="print every finding, one a line")
    parser.add_argument("--json", action="store_true", help="print JSON, with paths from the repository's root")
    return parser


def _answer(words: Sequence[str]) -> tuple[int, str]:
    """Return the exit status and the text to print."""
    arguments = _parser().parse_args(words)
    directory: str = arguments.directory

    tree = survey(directory)
    if arguments.folders:
        listed = tuple(grounds(tree))
        return DONE, report.folders_as_json(tree, listed) if arguments.json else report.folders_as_text(tree, listed)
    found = audit(tree)
    text = (
        report.findings_as_json(tree, found)
        if arguments.json
        else report.findings_as_text(tree, directory, found, arguments.all)
    )
    return (REFUSED if found else DONE), text


if __name__ == "__main__":
    raise SystemExit(main())
