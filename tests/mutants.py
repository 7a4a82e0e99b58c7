"""A mutation run: small faults are put into the code one by one, and each must make a test fail.

    python -m tests.mutants RESULTS [--share 10] [--minutes 60] [--only lib/workflow/ast]

It changes the files of the checkout that it runs in, so `make mutants` runs it in a copy. Results are appended to the
file RESULTS, a JSON object per line, and a run goes on where the one before it stopped. The operators are those of
cosmic-ray, which would start Python, pytest and all packages for each mutant; here a mutant is a fork of this process.
"""

import argparse
import json
import os
import random
import re
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.util import cache_from_source
from pathlib import Path
from typing import Final, NamedTuple

import hypothesis  # noqa: F401 - imported once, for all forks
import lxml.etree  # noqa: F401
import pytest
from cosmic_ray import plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import MutationVisitor

OPERATORS: Final = re.compile(
    r"core/(NumberReplacer|ReplaceAndWithOr|ReplaceOrWithAnd|AddNot|ReplaceTrueWithFalse|ReplaceFalseWithTrue"
    r"|ReplaceBreakWithContinue|ReplaceContinueWithBreak|ZeroIterationForLoop|RemoveDecorator"
    r"|ReplaceBinaryOperator_(Add_Sub|Sub_Add|Mul_FloorDiv|FloorDiv_Mul|Mod_Mul|BitAnd_BitXor)"
    r"|ReplaceComparisonOperator_(Eq_NotEq|NotEq_Eq|Lt_LtE|Lt_GtE|LtE_Lt|LtE_Gt|Gt_GtE|Gt_LtE|GtE_Gt|GtE_Lt|Is_IsNot"
    r"|IsNot_Is)|ReplaceUnaryOperator_Delete_Not)"
)
"""Operators whose mutants are seldom equal to the original; one for each kind of change."""
ROOMS: Final = {
    "lib/workflow/ast": ("tests/ast", "tests/render/test_json.py", "tests/test_codec.py", "tests/test_vocabulary.py"),
    "lib/workflow/render": (
        "tests/render",
        "tests/ast/test_nodes.py",
        "tests/graph",
        "tests/laws/test_3_every_format.py",
    ),
    "lib/workflow/core": (
        *(
            f"tests/test_{name}.py"
            for name in ("core", "checks", "questions", "pages", "rounds", "prompts", "kinds", "roster", "waiting")
        ),
        "tests/testing",
    ),
    "lib/workflow/state": (
        *(f"tests/test_{name}.py" for name in ("store", "store_faults", "locks", "files", "consent", "transcript")),
        *(f"tests/{name}.py" for name in ("test_homes", "security/test_links", "run/test_fence", "app/test_trust")),
        *(f"tests/{name}.py" for name in ("run/worktrees/test_of_run", "skills/planner/test_scratch")),
        *(f"tests/{name}.py" for name in ("laws/test_8_one_step_at_a_time", "security/test_git", "test_run_folder")),
        *(f"tests/{name}.py" for name in ("databases/test_addresses", "databases/test_database")),
    ),
    "skills/planner/review": tuple(
        f"tests/skills/planner/test_{name}.py"
        for name in (
            "gate",
            "gate_order",
            "verdicts",
            "batches",
            "hand_in",
            "difference",
            "review",
            "reopening",
            "choices",
            "owners",
            "keeping",
            "half_done",
        )
    ),
}
"""The tests of each folder, the quickest first. Laws of all formats run last."""
LAWS: Final = {
    "lib/workflow/ast": ("tests/laws/test_1_round_trip.py", "tests/laws/test_3_no_forging.py"),
    "lib/workflow/render": (
        *(f"tests/laws/test_{name}.py" for name in ("1_round_trip", "2_well_formed", "3_no_forging", "4_readable")),
    ),
}
KILLED: Final = "killed"
SURVIVED: Final = "survived"
LATE: Final = "late"


class Mutant(NamedTuple):
    """One fault."""

    room: str
    path: str
    operator: str
    number: int
    """Number of the place among those of the operator in the file, from 0."""
    line: int


def mutants(rooms: Sequence[str]) -> Iterator[Mutant]:
    """Yield the mutants of some folders."""
    names = sorted(filter(OPERATORS.fullmatch, plugins.operator_names()))
    for room in rooms:
        for path in sorted(Path(room).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            lines, tree = source.split("\n"), get_ast(source)
            for name in names:
                operator = plugins.get_operator(name)()
                places = [place for node in ast_nodes(tree) for place in operator.mutation_positions(node)]
                for number, ((line, _), _) in enumerate(places):
                    if "TYPE_CHECKING" not in lines[line - 1]:
                        yield Mutant(room, str(path), name, number, line)


def result_of(room: str, seconds: float) -> str:
    """Run the tests of a folder in a fork, at most for some seconds of the processor."""
    child = os.fork()
    if not child:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1)
        os.dup2(sink, 2)
        options = ("-x", "-q", "-p", "no:cacheprovider", "--assert=plain", "--tb=no")
        try:
            os._exit(pytest.main([*options, *ROOMS[room], *LAWS.get(room, ())]))
        except BaseException:  # a fault can raise anything, also while tests are collected
            os._exit(99)
    end = time.monotonic() + 10 * seconds
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return LATE if os.WIFSIGNALED(status) else KILLED if os.WEXITSTATUS(status) else SURVIVED
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return LATE


def tried(mutant: Mutant, seconds: float) -> str:
    """Put the fault into its file, run the tests, and take it out."""
    path, compiled = Path(mutant.path), Path(cache_from_source(mutant.path))
    source = path.read_text(encoding="utf-8")
    operator = plugins.get_operator(mutant.operator)()
    path.write_text(MutationVisitor(mutant.number, operator).walk(get_ast(source)).get_code(), encoding="utf-8")
    compiled.unlink(missing_ok=True)
    try:
        return result_of(mutant.room, seconds)
    finally:
        path.write_text(source, encoding="utf-8")
        compiled.unlink(missing_ok=True)


def main() -> None:
    """Try the mutants in a random order that is the same in every run, and print what has survived."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("results", type=Path, help="file of results; those that it holds are not tried again")
    parser.add_argument("--share", type=float, default=100, help="percent of the mutants to try")
    parser.add_argument("--minutes", type=float, default=600, help="minutes after which it stops")
    parser.add_argument("--only", choices=ROOMS, help="one folder")
    given = parser.parse_args()
    end = time.monotonic() + 60 * given.minutes
    rooms = [given.only] if given.only else list(ROOMS)
    found = list(mutants(rooms))
    random.Random(7).shuffle(found)
    found = found[: round(len(found) * given.share / 100)]
    given.results.touch()
    done = {Mutant(*each[:5]): each[5] for each in map(json.loads, given.results.read_text().splitlines())}
    print(f"{len(found):,} mutants, {sum(each in done for each in found):,} of them tried before", flush=True)
    seconds = dict[str, float]()
    with given.results.open("a", encoding="utf-8") as results:
        for mutant in found:
            if mutant in done or time.monotonic() > end:
                continue
            if mutant.room not in seconds:
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                if result_of(mutant.room, 3600) != SURVIVED:
                    sys.exit(f"the tests of {mutant.room} fail without a mutant")
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
                seconds[mutant.room] = 3 * used + 20
                print(f"{mutant.room}: tests take {used:.0f} s of the processor", flush=True)
            done[mutant] = tried(mutant, seconds[mutant.room])
            results.write(f"{json.dumps([*mutant, done[mutant]])}\n")
            results.flush()
            if done[mutant] == SURVIVED:
                print(f"{mutant.path}:{mutant.line}: {mutant.operator} survived", flush=True)
    for room in rooms:
        counts = Counter(done[each] for each in found if each.room == room and each in done)
        print(f"{room}: {counts.total():,} tried, {counts[SURVIVED]:,} survived, {counts[LATE]:,} did not end")


if __name__ == "__main__":
    main()
