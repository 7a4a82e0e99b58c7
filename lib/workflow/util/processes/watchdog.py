"""A watchdog: ends the programs that another process started, as soon as that process has ended.

`groups.py` starts it by its path, isolated (`-I -S`), so it imports no other module of ours and no site packages.
Standard input is a pipe from the other process, which the system closes when that process ends, even by `kill -9`.
Its lines: `*` before a program is started, `+GROUP` when it has started or `!` when it cannot be, and `-GROUP` when its
process group is over.

The one argument is an environment entry, `NAME=VALUE`, that all started processes have. On Linux it finds processes
that left their group. Other systems show no environment: there only the groups are ended.
"""

import os
import signal
import sys
import time

PIPE = 0
"""File descriptor of the pipe."""
SEARCHES = 200
"""Maximum searches for remaining processes; the next search finds those forked meanwhile."""
LATE = 9
"""Searches if a program was just being started: 2.5 seconds, as each pause is twice as long as the one before."""
PAUSE = 0.01
"""Seconds before the search that follows a successful one."""


def main(entry: bytes) -> None:
    """Wait for the end of the other process, then end its remaining processes."""
    os.chdir("/")
    groups, is_starting = programs_left()
    for group in groups:
        try:
            os.killpg(group, signal.SIGKILL)
        except OSError:  # it has ended
            continue
    end_all(entry, LATE if is_starting else 1)


def programs_left() -> tuple[set[int], bool]:
    """Read lines until the pipe is closed. Returns the groups that are not over, and True if a start was not over.

    A program that is being started has closed the pipe, and still has the environment of its starter.
    """
    groups: set[int] = set()
    starting = 0
    with open(PIPE, "rb", buffering=0, closefd=False) as pipe:
        rest = b""
        while chunk := pipe.read(4096):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if line == b"*":
                    starting += 1
                elif line[:1] == b"-":
                    groups.discard(int(line[1:]))
                else:
                    starting = max(0, starting - 1)  # this watchdog may have replaced another one meanwhile
                    groups.update(map(int, line[1:].split()))
    return groups, starting > 0


def end_all(entry: bytes, searches: int = 1) -> None:
    """Kill the processes that have the entry in their environment, until a search finds none.

    Args:
        entry: `NAME=VALUE`.
        searches: Minimum number of searches. More than one waits for a process that may not have its environment yet.
    """
    if not os.path.isdir("/proc/self"):
        return
    pause = PAUSE
    for search in range(1, SEARCHES + 1):
        others = [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
        found = sum([end(number, entry) for number in others])
        if not found and search >= searches:
            return
        time.sleep(pause)
        pause = PAUSE if found else 2 * pause


def end(number: int, entry: bytes) -> bool:
    """Kill a process that has the entry in its environment, with its group if it leads one.

    Returns True if it has the entry, or is just starting a program, so that the system shows no environment.

    A descriptor of the process is opened before its environment is read, so the signal reaches that process and no
    later one with the same number. The group covers processes that dropped their environment.
    """
    try:
        process = os.pidfd_open(number)
    except OSError:
        return False
    try:
        environment = shown(number, "environ")
        if not environment and not shown(number, "cmdline"):
            return bool(os.readlink(f"/proc/{number}/exe"))  # a zombie or a thread of the system has none
        if entry not in environment.split(b"\0"):
            return False
        if os.getpgid(number) == number != os.getpgrp():
            os.killpg(number, signal.SIGKILL)
        signal.pidfd_send_signal(process, signal.SIGKILL)
    except OSError:  # of another user, or gone
        return False
    finally:
        os.close(process)
    return True


def shown(number: int, name: str) -> bytes:
    """Return what the system shows of a process."""
    with open(f"/proc/{number}/{name}", "rb") as file:
        return file.read()


if __name__ == "__main__":
    main(os.fsencode(sys.argv[1]))
