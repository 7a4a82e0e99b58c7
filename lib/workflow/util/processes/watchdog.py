"""A watchdog: ends the programs that another process started, as soon as that process has ended.

`groups.py` starts it by its path, isolated (`-I -S`), so it imports no other module of ours and no site packages.
Standard input is a pipe from the other process, which the system closes when that process ends, even by `kill -9`.
Each line names a process group: `+GROUP` when it starts, `-GROUP` when it is over.

The one argument is an environment entry, `NAME=VALUE`, that all started processes have. On Linux it finds processes
that left their group. Other systems show no environment: there only the groups are ended.
"""

import os
import signal
import sys
import time

PIPE = 0
"""File descriptor of the pipe."""
ROUNDS = 200
"""Maximum searches for remaining processes; the next search finds those forked meanwhile."""
PAUSE = 0.01
"""Seconds between two searches."""


def main(entry: bytes) -> None:
    """Wait for the end of the other process, then end its remaining processes."""
    os.setsid()  # a signal for the terminal's processes must not reach this one
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
    """Kill every process that has the entry in its environment. Returns their number."""
    found = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if name.isdigit() and int(name) != os.getpid():
            found += end(int(name), entry)
    return found


def end(number: int, entry: bytes) -> bool:
    """Kill a process that has the entry in its environment, with its group if it leads one. Returns True if it has.

    A descriptor of the process is opened before its environment is read, so the signal reaches that process and no
    later one with the same number. The group covers processes that dropped their environment.
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
