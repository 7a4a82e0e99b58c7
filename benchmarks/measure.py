"""Ratios side by side: every contender runs once per round, in turn, and its median is divided by the first one's."""

import resource
import statistics
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple


class Target(NamedTuple):
    """A claim: the contender takes at most `ratio` times as long as the other.

    The ratios of an unchanged program differ by a tenth from one day of a virtual machine to the next. So a limit that
    only guards against a relapse is that of a slow day.
    """

    contender: str
    ratio: float
    of: str


def children() -> float:
    """Return the processor time of this process's finished children, in seconds: a busy machine does not change it."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def medians(
    contenders: Mapping[str, Callable[[], object]], rounds: int, clock: Callable[[], float] = time.perf_counter
) -> dict[str, float]:
    """Return the seconds per run, the median of all rounds. One extra round warms up and does not count.

    Args:
        contenders: Functions by name.
        rounds: Number of runs of each.
        clock: What is measured: the time of day, `children`, or `time.process_time` for this process's processor time.
    """
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds + 1):
        for name, run in contenders.items():
            begun = clock()
            run()
            if number:
                taken[name].append(clock() - begun)
    return {name: statistics.median(times) for name, times in taken.items()}


def report(title: str, seconds: Mapping[str, float], unit: float, name_of_unit: str) -> None:
    """Print a table: time per unit, and the ratio to the first contender."""
    first = next(iter(seconds.values()))
    print(f"\n{title}\n{'':44} {name_of_unit:>14} {'ratio':>7}")
    for name, taken in seconds.items():
        print(f"{name:44} {taken / unit:14.2f} {taken / first:6.2f}x")


def judge(seconds: Mapping[str, float], *targets: Target) -> bool:
    """Print for each target if it is met, and return True if all are."""
    met = [seconds[target.contender] <= target.ratio * seconds[target.of] for target in targets]
    for target, good in zip(targets, met, strict=True):
        ratio = seconds[target.contender] / seconds[target.of]
        verdict = "met" if good else "MISSED"
        print(f"target {verdict}: {target.contender} at {ratio:.2f}x of {target.of}; at most {target.ratio}x")
    return all(met)
