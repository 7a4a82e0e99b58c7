"""`python -m benchmarks.economy`: the cost of each workflow, counted in simulated runs.

Characters are those that commands print; commands include those that print pages; agents are those that were launched.
Text is repeated if it is in lines that the same agent has seen before (`lib.workflow.testing.costs.Context`). A
simulated run is the same on every machine, so a test holds its numbers as budgets: `--write` accepts new ones.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import asdict

from benchmarks.budgets import BUDGETS, accept, budget_of, page_sizes, repetition
from benchmarks.simulations import Measured, measured, simulations
from lib.workflow.testing.costs import Cost, by_kind, by_role, cost_of

ROWS: Final = 24
"""Rows of a table of kinds; the others are one row."""
HIGHEST: Final = 10
"""Rows of a list of the highest numbers."""


def as_json(run: Measured) -> dict[str, object]:
    """Return the numbers of a run for programs."""
    percent = round(cost_of(run.shown).percent, 1)
    groups = {"roles": by_role(run.shown), "kinds": by_kind(run.shown)}
    rows = {key: [_row(name, each) for name, each in costs.items()] for key, costs in groups.items()}
    return {**asdict(budget_of(run)), "repeated_percent": percent, **rows}


def _row(name: str, each: Cost) -> dict[str, object]:
    return {"name": name, **asdict(each), "repeated_percent": round(each.percent, 1)}


def table(title: str, costs: Mapping[str, Cost]) -> Iterator[str]:
    """Yield the lines of a table."""
    heads = ("agents", "pages", "commands", "characters", "repeated", "prompts", "largest page")
    yield f"{title[:44]:44} {' '.join(f'{head:>12}' for head in heads)}"
    for name, each in costs.items():
        numbers = (each.agents, each.pages, each.commands, each.characters)
        shown = [f"{number:12,}" for number in numbers] + [f"{each.percent:11.1f}%"]
        shown += [f"{number:12,}" for number in (each.prompts, each.largest_page)]
        yield f"{name[:44]:44} {' '.join(shown)}"


def report(runs: Sequence[Measured], details: Sequence[Measured]) -> Iterator[str]:
    """Yield the lines of all tables."""
    yield from table("workflow", {run.title: cost_of(run.shown) for run in runs})
    for run in details:
        yield from ("", *table(f"{run.title}: by role", by_role(run.shown)))
        kinds = by_kind(run.shown)
        first = dict(list(kinds.items())[:ROWS])
        yield from ("", *table(f"{run.title}: by kind", first))
        if len(kinds) > ROWS:
            rest = sum(each.characters for each in list(kinds.values())[ROWS:])
            yield f"{len(kinds) - ROWS} others with {rest:,} characters"
    if details:
        yield from ("", *highest("largest pages, characters", page_sizes(details)))
        yield from ("", *highest("most repetitive agents, percent", repetition(details)))


def highest(title: str, numbers: Mapping[str, int]) -> Iterator[str]:
    """Yield the lines of a list of the highest numbers."""
    yield title
    for name, number in sorted(numbers.items(), key=lambda item: -item[1])[:HIGHEST]:
        yield f"{number:12,}  {name}"


def main() -> None:
    """Read the command line, run the simulations, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.economy", description="Count what workflows cost.")
    parser.add_argument("workflows", nargs="*", metavar="WORKFLOW", help="these alone, with all details")
    parser.add_argument("--json", action="store_true", help="one JSON document, for programs")
    parser.add_argument("--write", action="store_true", help="accept the numbers as budgets")
    options = parser.parse_args()
    known = dict.fromkeys(name for name, _, _ in simulations())
    for name in options.workflows:
        if name not in known:
            parser.error(f"no simulation is called {name!r}; there is: {', '.join(known)}")
    if options.write and options.workflows:
        parser.error("--write accepts the numbers of all workflows; name none")
    runs = list(measured(frozenset(options.workflows)))
    if options.write:
        accept(runs)
        print(f"written: {BUDGETS}")
    elif options.json:
        print(json.dumps(list(map(as_json, runs)), indent=2))
    else:
        print("\n".join(report(runs, runs if options.workflows else runs[:1])))


if __name__ == "__main__":
    main()
