"""`python -m tests.fuzz FIRST COUNT`: plays the cases of so many numbers from the first on, and says what was wrong.

`python -m tests.fuzz SEED 1` repeats one that failed.
"""

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.folders import Folders
from tests.fuzz.play import play


def main(first: int, count: int) -> int:
    """Plays them and returns the exit status."""
    failed, begun, slowest = Counter[str](), time.monotonic(), (0.0, "")
    with tempfile.TemporaryDirectory(prefix="stepscript-fuzz-") as place:
        folders = Folders(Path(place))
        for seed in range(first, first + count):
            started = time.monotonic()
            case, faults = play(seed, folders)
            slowest = max(slowest, (time.monotonic() - started, str(case)))
            if faults:
                failed["".join(faults)[:60]] += 1
                print(f"{case}\n" + "".join(f"    {fault}\n" for fault in faults), flush=True)
    took = time.monotonic() - begun
    print(f"{count} cases in {took:.0f} s, {sum(failed.values())} failed; slowest {slowest[0]:.1f} s: {slowest[1]}")
    for what, number in failed.most_common():
        print(f"  {number:4}  {what!r}")
    return bool(failed)


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]), int(sys.argv[2])))
