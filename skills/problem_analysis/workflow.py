"""Problem analysis: from a report to its cause, by rival hypotheses and evidence. Five steps; the third is a loop."""

from typing import Final

from lib.workflow.ast.step import Invoke
from lib.workflow.command import Command
from lib.workflow.core import Outcome, StepDef, Workflow, with_prompts
from lib.workflow.handlers.loop import WHEN, rounds
from skills.conventions.rounds import in_the_first_round

MAX_ROUNDS: Final = 5
MAX_LOOKS: Final = 4
"""Most observations in one round; without a limit, a round would never reach the ledger."""
MIN_HYPOTHESES: Final = 3
MAX_HYPOTHESES: Final = 6
MAX_TRIES: Final = 20
"""Most repeats of one command, to see how often it fails."""
MAX_REACH: Final = 3
"""Most other inputs that are tried once the cause is known."""
MAX_WORDS: Final = 350
"""Most words of the report."""
SCRIPT: Final = "skills.problem_analysis.analyze"

WORKFLOW = Workflow(
    "problem-analysis",
    *with_prompts(
        __file__,
        "prompts.md",
        StepDef(
            id="gate",
            next={Outcome.OK: "hypothesize", Outcome.FAIL: "output"},
            when={
                Outcome.OK: "PROBLEM names what is observed and what is expected",
                Outcome.FAIL: "the observed or the expected side is still unknown after the tries",
            },
            slots={"max_tries": MAX_TRIES},
        ),
        StepDef(
            id="hypothesize",
            next={Outcome.OK: "investigate"},
            slots={"min_hypotheses": MIN_HYPOTHESES, "max_hypotheses": MAX_HYPOTHESES},
        ),
        StepDef(
            id="investigate",
            handler=rounds(MAX_ROUNDS),
            next={Outcome.OK: "formulate", Outcome.ITERATE: "investigate"},
            when=WHEN,
            slots={
                "max_rounds": MAX_ROUNDS,
                "method": in_the_first_round(
                    __file__, "ledger.md", Command(SCRIPT, ("--step", "3")), {"max_looks": MAX_LOOKS}
                ),
            },
        ),
        StepDef(id="formulate", next={Outcome.OK: "output"}, slots={"max_reach": MAX_REACH}),
        StepDef(
            id="output",
            next={Outcome.OK: None},
            slots={"max_words": MAX_WORDS, "start": lambda context: Invoke(Command(SCRIPT, ("--step", "1")))},
        ),
    ),
    module=SCRIPT,
    description="Find the cause of a problem by rival hypotheses and evidence. It proposes no fix.",
)
