"""`python -m tests.tables.retrying HOME WORD…`: runs a command as an agent does that retries with the current version.

The word VERSION is replaced by the version: 1 at first, then the one that the refusal names.
"""

import io
import sys
from contextlib import redirect_stdout

from lib.workflow.ast.parse import parse
from lib.workflow.ast.results import VersionMismatchError
from lib.workflow.cli.table.run import main


def retried(home: str, words: list[str]) -> int:
    version = 1
    while True:
        printed = io.StringIO()
        with redirect_stdout(printed):
            status = main(home, [word.replace("VERSION", str(version)) for word in words])
        (block,) = parse(printed.getvalue()).blocks
        if not isinstance(block, VersionMismatchError):
            sys.stdout.write(printed.getvalue())
            sys.stdout.flush()
            return status
        version = block.current_version


if __name__ == "__main__":
    raise SystemExit(retried(sys.argv[1], sys.argv[2:]))
