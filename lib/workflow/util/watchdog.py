"""A watchdog: a program that ends whatever another process has started, as soon as that process has ended.

`processes.py` starts it by its path, isolated (`-I -S`), so it imports nothing of ours and no site packages. Standard
input is a pipe that the other process alone can write to, and that the system closes when it ends, however it ends:
by `kill -9`, too. Each line names a process group: `+GROUP` as it begins, `-GROUP` when it is over.

The one argument is an entry of the environment, `NAME=VALUE`, that everything has which was started. On Linux it leads
to processes that have left their group. Other systems show no environment: there the groups are all that is ended.
"""

import os
import signal
import sys
import time

PIPE = 0
"""The descriptor of the pipe."""
ROUNDS = 200
"""Searches for processes that are left; one that forks meanwhile is found by the next search."""
PAUSE = 0.01
"""Seconds between two searches."""


def main(entry: bytes) -> None:
    """Wait for the end of the other process, then end what it has left."""
    os.setsid()  # a signal for the terminal's processes is none for this one
    os.chdir("/")
    groups = groups_left()
    for group in groups:
        try:
            os.killpg(group, signal.SIGKILL)
        except OSError:  # it has ended
            continue
    for _ in range(ROUNDS):
        if not end_all(entry):
            return
        time.sleep(PAUSE)


def groups_left() -> set[int]:
    """Read lines until the pipe is closed. Returns the groups that are not over."""
    groups: set[int] = set()
    with open(PIPE, "rb", buffering=0, closefd=False) as pipe:
        rest = b""
        while chunk := pipe.read(4096):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                (groups.add if line[:1] == b"+" else groups.discard)(int(line[1:]))
    return groups


def end_all(entry: bytes) -> int:
    """Kill every process that has the entry in its environment. Returns how many there were."""
    found = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if name.isdigit() and int(name) != os.getpid():
            found += end(int(name), entry)
    return found


def end(number: int, entry: bytes) -> bool:
    """Kill a process that has the entry in its environment, with its group if it leads one. Returns whether it had.

    A descriptor of the process is opened before its environment is read, so the signal reaches what was looked at and
    no later process of the same number. The group holds what has thrown its environment away.
    """
    try:
        process = os.pidfd_open(number)
    except OSError:
        return False
    try:
        with open(f"/proc/{number}/environ", "rb") as file:
            if entry not in file.read().split(b"\0"):
                return False
        if os.getpgid(number) == number != os.getpgrp():
            os.killpg(number, signal.SIGKILL)
        signal.pidfd_send_signal(process, signal.SIGKILL)
    except OSError:  # of another user, or gone
        return False
    finally:
        os.close(process)
    return True


if __name__ == "__main__":
    main(os.fsencode(sys.argv[1]))
