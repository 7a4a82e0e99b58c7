"""`make bench`: every claim about speed, measured side by side in one run. Exit status 1 if a target is missed."""

import platform
import sys

from benchmarks import dispatches, driving, listing, plans, scanners, starts, state, trees, watching

if __name__ == "__main__":
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}")
    parts = (starts, listing, state, plans, trees, dispatches, driving, scanners, watching)
    met = [part.main() for part in parts]
    sys.exit(0 if all(met) else 1)
