"""Cost of a change of a large plan, compared with JSON alone for the same bytes."""

import json
import os
import tempfile
from collections.abc import Callable
from functools import partial

from benchmarks.measure import Target, judge, medians, report
from skills.planner.commands.plan.milestones import set_intent
from skills.planner.schema.plan.decisions import Decision, PlanningContext
from skills.planner.schema.plan.document import Plan, Wave
from skills.planner.schema.plan.milestone import CodeChange, CodeIntent, Milestone
from skills.planner.state.files import plan_store

SIZES = (300, 3_000)
"""Milestones: about 1 MB, and about 10."""
ROUNDS = 15
LINE = "+    total = total + rate_of(account, month)  # in the currency of the account (DL-001)\n"
SENTENCE = "An account whose currency differs from the report's is converted at the rate of the day. "


def milestone(number: int) -> Milestone:
    """Return a milestone of the usual size: two intents, each with a change of nine lines."""
    name, files = f"M-{number:03d}", [f"src/part_{number}/{part}.py" for part in ("first", "second")]
    return Milestone(
        id=name,
        name=f"Part {number}",
        files=tuple(files),
        requirements=(SENTENCE, SENTENCE),
        acceptance_criteria=(SENTENCE,),
        code_intents=tuple(
            CodeIntent(id=f"CI-{name}-{n:03d}", file=file, behavior=SENTENCE * 2, decision_refs=("DL-001",))
            for n, file in enumerate(files, 1)
        ),
        code_changes=tuple(
            CodeChange(
                id=f"CC-{name}-{n:03d}",
                intent_ref=f"CI-{name}-{n:03d}",
                file=file,
                diff=f"--- a/{file}\n+++ b/{file}\n@@ -1 +1,9 @@\n" + LINE * 9,
            )
            for n, file in enumerate(files, 1)
        ),
    )


def plan_of(size: int) -> Plan:
    """Return a plan with that many milestones, ten to a wave."""
    milestones = tuple(milestone(number) for number in range(1, size + 1))
    waves = range(0, size, 10)
    return Plan(
        planning_context=PlanningContext(decisions=(Decision(id="DL-001", decision="x", reasoning="a -> b"),)),
        milestones=milestones,
        waves=tuple(
            Wave(id=f"W-{n:03d}", milestones=tuple(each.id for each in milestones[at : at + 10]))
            for n, at in enumerate(waves, 1)
        ),
    )


def change(folder: str) -> None:
    """Change one intent as `set-intent` does: read, check, write to disk."""

    def by(plan: Plan) -> tuple[Plan, None]:
        version = plan.milestones[0].code_intents[0].version
        after, _ = set_intent(plan, "CI-M-001-001", version, behavior="as said")
        return after, None

    plan_store(folder).change(by)


def bare(data: bytes, indent: int | None) -> None:
    """Read and write the same bytes with the standard library, without a file."""
    json.dumps(json.loads(data), ensure_ascii=False, indent=indent)


def main() -> bool:
    """Print the tables and return True if the targets are met."""
    met, costs = [], []
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            plan_store(folder).create(plan_of(size))
            with open(os.path.join(folder, "plan.json"), "rb") as file:
                data = file.read()
            contenders: dict[str, Callable[[], object]] = {
                "json.loads and json.dumps": partial(bare, data, 2),
                "the same, written without indentation": partial(bare, data, None),
                "a change of an intent": partial(change, folder),
            }
            seconds = medians(contenders, ROUNDS if size == SIZES[0] else 3)
        report(f"A plan of {size:,} milestones, {len(data):,} bytes", seconds, 1e-3, "ms")
        met.append(judge(seconds, Target("a change of an intent", 4, "json.loads and json.dumps")))
        costs.append(seconds["a change of an intent"] / len(data))
    print(f"a byte of ten times the plan costs {costs[1] / costs[0]:.2f} times as much; at most 1.5")
    return all(met) and costs[1] <= 1.5 * costs[0]
