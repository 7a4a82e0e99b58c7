"""`python -m tests.fuzz FIRST COUNT`: plays COUNT cases from number FIRST on, and reports the faults.

`python -m tests.fuzz SEED 1` repeats a failed case. With `processes` after the numbers, each case is a process with a
damaged stream.
"""

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.folders import Folders
from tests.fuzz.play import play
from tests.fuzz.streams import UNTOLD, as_process


def main(first: int, count: int, processes: bool) -> int:
    """Play the cases and return the exit status."""
    run, spared = (as_process, UNTOLD) if processes else (None, frozenset[str]())
    statuses, written = Counter[int | None](), 0
    failed, begun, slowest = Counter[str](), time.monotonic(), (0.0, "")
    with tempfile.TemporaryDirectory(prefix="stepscript-fuzz-") as place:
        folders = Folders(Path(place))
        for seed in range(first, first + count):
            started = time.monotonic()
            case, found, status, changed = play(seed, folders, run)
            faults = [fault for fault in found if fault not in spared]
            statuses[status] += 1
            written += changed
            slowest = max(slowest, (time.monotonic() - started, str(case)))
            if faults:
                failed["".join(faults)[:60]] += 1
                print(f"{case}\n" + "".join(f"    {fault}\n" for fault in faults), flush=True)
    took = time.monotonic() - begun
    print(f"{count} cases in {took:.0f} s, {sum(failed.values())} failed; slowest {slowest[0]:.1f} s: {slowest[1]}")
    print(f"statuses {dict(statuses)}; {written} state files were changed")
    for what, number in failed.most_common():
        print(f"  {number:4}  {what!r}")
    return bool(failed)


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:] == ["processes"]))
