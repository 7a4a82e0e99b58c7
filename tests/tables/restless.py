"""`python -m tests.tables.restless ADDRESS NAME`: adds one book after the other until it is killed.

It prints a line once it can begin, waits for one on its standard input, and prints each title once the book is saved.
"""

import select
import subprocess
import sys
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from lib.workflow.state.files import StateError
from lib.workflow.state.run_documents import folder_at
from tests.tables.shelf import opened, set_book

if TYPE_CHECKING:
    from tests.databases.places import Place


def writers(place: "Place", number: int = 4) -> list["subprocess.Popen[str]"]:
    """Start processes that write without a pause, and return them when one of them has saved a book."""
    command = [sys.executable, "-P", "-m", __name__, place.address]
    started = [
        subprocess.Popen(
            [*command, str(each)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env=place.environment(each),
            encoding="utf-8",
        )
        for each in range(number)
    ]
    prints = [each.stdout for each in started if each.stdout]
    assert [lines.readline() for lines in prints] == ["ready\n"] * number
    for each in started:
        assert each.stdin
        each.stdin.write("\n")
        each.stdin.close()
    select.select(prints, [], [])
    return started


def prints_of(writer: "subprocess.Popen[str]") -> list[str]:
    """Return the titles that a process has printed, after its end."""
    assert writer.stdout
    with writer.stdout as lines:
        return lines.read().split()


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
