"""`python -m benchmarks.economy`: what each workflow costs, counted in simulated runs.

Characters are those that commands print; commands include those that print pages; agents are those that were launched.
Text is repeated if it is in lines that the same agent was shown before (`lib.workflow.testing.meter.Context`). A
simulated run is the same on every machine, so a test holds its numbers as budgets: `--write` accepts new ones.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from attrs import asdict

from benchmarks.budgets import FILE, accept, budget_of, write
from benchmarks.simulations import Measured, measure, simulations
from lib.workflow.testing.meter import Kind, Shown, Sum, sum_of

ROWS: Final = 24
"""Of a table of kinds; the others are one row."""


def by(name: Callable[[Shown], str], prints: Sequence[Shown]) -> dict[str, Sum]:
    """The sums of prints by name, the most characters first."""
    groups: dict[str, list[Shown]] = {}
    for each in prints:
        groups.setdefault(name(each), []).append(each)
    sums = {name: sum_of(group) for name, group in groups.items()}
    return dict(sorted(sums.items(), key=lambda item: -item[1].characters))


def by_role(measured: Measured) -> dict[str, Sum]:
    """The sums by the role of the agent that got the text."""
    return by(lambda each: each.role, measured.prints)


def by_kind(measured: Measured) -> dict[str, Sum]:
    """The sums by the script of pages, and by the other commands."""
    return by(lambda each: each.name if each.kind is Kind.PAGE else f"{each.name} ({each.kind})", measured.prints)


def as_json(measured: Measured) -> dict[str, object]:
    """The numbers of a run for programs."""
    total = sum_of(measured.prints)
    groups = {"roles": by_role(measured), "kinds": by_kind(measured)}
    rows = {key: [_numbers(name, each) for name, each in sums.items()] for key, sums in groups.items()}
    return {**asdict(budget_of(measured)), "repeated_percent": round(total.percent, 1), **rows}


def _numbers(name: str, each: Sum) -> dict[str, object]:
    return {"name": name, **asdict(each), "repeated_percent": round(each.percent, 1)}


def table(title: str, sums: dict[str, Sum]) -> Iterator[str]:
    """The lines of a table."""
    yield f"{title:44} {'pages':>6} {'commands':>9} {'characters':>11} {'repeated':>9} {'largest page':>13}"
    for name, each in sums.items():
        yield (
            f"{name[:44]:44} {each.pages:6,} {each.commands:9,} {each.characters:11,} {each.percent:8.1f}%"
            f" {each.largest_page:13,}"
        )


def shortened(measured: Measured) -> dict[str, Sum]:
    """The sums by kind, the small ones as one."""
    sums = by_kind(measured)
    first = dict(list(sums.items())[:ROWS])
    others = list(sums.values())[ROWS:]
    if others:
        first[f"{len(others)} others"] = Sum(
            commands=sum(each.commands for each in others),
            pages=sum(each.pages for each in others),
            characters=sum(each.characters for each in others),
            repeated=sum(each.repeated for each in others),
            largest_page=max(each.largest_page for each in others),
        )
    return first


def report(runs: Sequence[Measured], details: Sequence[Measured]) -> Iterator[str]:
    """The lines of all tables."""
    yield from table("workflow", {f"{_title(run)}, {run.agents} agents": sum_of(run.prints) for run in runs})
    for run in details:
        yield from ("", *table(f"{_title(run)}: by role", by_role(run)))
        yield from ("", *table(f"{_title(run)}: by page and reply", shortened(run)))


def _title(run: Measured) -> str:
    return f"{run.workflow} {run.depth}"


def main() -> None:
    """Read the command line, run the simulations, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.economy", description="Count what workflows cost.")
    parser.add_argument("workflows", nargs="*", metavar="WORKFLOW", help="these alone, with all details")
    parser.add_argument("--json", action="store_true", help="one JSON document, for programs")
    parser.add_argument("--write", action="store_true", help="accept the numbers as budgets")
    told = parser.parse_args()
    known = {each.workflow: None for each in simulations()}
    for name in told.workflows:
        if name not in known:
            parser.error(f"no simulation is called {name!r}; there is: {', '.join(known)}")
    if told.write and told.workflows:
        parser.error("--write accepts the numbers of all workflows; name none")
    runs = [measure(each) for each in simulations() if each.workflow in (told.workflows or known)]
    if told.write:
        write(accept(runs))
        print(f"written: {FILE}")
    elif told.json:
        print(json.dumps(list(map(as_json, runs)), indent=2))
    else:
        print("\n".join(report(runs, runs if told.workflows else runs[:1])))


if __name__ == "__main__":
    main()
