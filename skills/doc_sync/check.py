"""Finds what is wrong with a repository's indexes, READMEs and links: `python3 -m skills.doc_sync.check DIR`."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from lib.workflow.errors import UsageError
from lib.workflow.output import OutputError, use_utf_8, write

CLEAN, FOUND, USAGE, INTERRUPTED = 0, 1, 2, 130
"""The exit statuses."""

EPILOG: Final = """\
exit status:
  0  nothing found (or the folders listed)
  1  findings, one a line: file:line: kind: what is wrong and what to do
  2  wrong usage, said on standard error

What each kind means: conventions.md beside this script. What is not to be checked stands in .docsyncignore, in the
root of the repository: one path or pattern a line."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def main(argv: Sequence[str] | None = None) -> int:
    """Checks a folder and returns the exit status."""
    use_utf_8()
    try:
        arguments = _parser().parse_args(argv)
        status, text, summary = _run(arguments.directory, arguments.folders, arguments.json)
        if text:
            write(text)
        print(summary, file=sys.stderr)
        return status
    except (UsageError, OutputError) as error:
        print(f"doc_sync.check: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED


def accepts(words: Sequence[str]) -> None:
    """Raises UsageError for words that the command does not take (law 5)."""
    _parser().parse_args(words)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python3 -m skills.doc_sync.check",
        description="Finds what is wrong with the indexes (CLAUDE.md), READMEs and links of a folder.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("directory", nargs="?", default=".", metavar="DIR", help="the folder to check (default: this)")
    parser.add_argument("--folders", action="store_true", help="list the folders, and what each has and needs")
    parser.add_argument("--json", action="store_true", help="for programs; paths are from the repository's root")
    return parser


def _run(directory: str, folders: bool, as_json: bool) -> tuple[int, str, str]:
    """The exit status, what goes to standard output, and the line for standard error."""
    from . import report  # the Markdown reader takes longer to import than the rest of a step
    from .audit.audit import audit
    from .audit.presence import grounds
    from .audit.tree import survey

    tree = survey(directory)
    where = os.path.join(tree.root, tree.scope).rstrip("/")
    if folders:
        listed = tuple(grounds(tree))
        text = report.folders_as_json(tree, listed) if as_json else report.folders_as_text(listed)
        return CLEAN, text, report.summary(len(listed), "folder", where)
    found = audit(tree)
    text = report.findings_as_json(tree, found) if as_json else report.findings_as_text(tree, directory, found)
    return (FOUND if found else CLEAN), text, report.summary(len(found), "finding", where)


if __name__ == "__main__":
    raise SystemExit(main())
