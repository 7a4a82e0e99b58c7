"""`python -m tests.tables.restless DIR NAME`: adds one book after the other until it is killed, and prints each title
when it is told that the book stands."""

import sys
from functools import partial
from itertools import count

from tests.tables.shelf import opened, set_book


def write(folder: str, name: str) -> None:
    for number in count():
        title = f"{name}-{number}"
        opened(folder).change(partial(set_book, title=title))
        sys.stdout.write(f"{title}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    write(*sys.argv[1:])
