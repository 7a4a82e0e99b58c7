"""`python -m tests.tables.restless ADDRESS NAME`: adds one book after the other until it is killed.

It prints a line once it can begin, waits for one on its standard input, and prints each title once the book is saved.
"""

import sys
from functools import partial
from itertools import count

from lib.workflow.state.run_dirs import folder_at
from lib.workflow.state.store import StateError
from tests.tables.shelf import opened, set_book


def write(folder: str, name: str) -> None:
    _say("ready")
    sys.stdin.readline()
    for number in count():
        title = f"{name}-{number}"
        while not _changed(folder, title):
            pass
        _say(title)


def _changed(folder: str, title: str) -> bool:
    """Return True if the book is saved; on a busy machine the others may hold the lock for too long."""
    try:
        opened(folder).change(partial(set_book, title=title))
    except StateError as error:
        if error.code != "locked-state":
            raise
        return False
    return True


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    write(folder_at(sys.argv[1]), sys.argv[2])
