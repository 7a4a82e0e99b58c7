"""Codebase analysis: from a question about code to answers with places. Four steps; the third is a loop."""

from typing import Final

from lib.workflow.command import Command
from lib.workflow.core import Outcome, Roster, Script, StepDef, Task, Workflow, with_prompts
from lib.workflow.handlers.loop import WHEN, rounds
from lib.workflow.types import AgentRole, Tier
from skills.conventions.rounds import in_the_first_round

MAX_QUESTIONS: Final = 6
MAX_EXPLORERS: Final = 6
"""Most explorers, one for each part of the scope."""
MAX_AT_A_TIME: Final = 4
MAX_FILES: Final = 60
"""Most files of one part; with more, an explorer takes samples instead of reading."""
MAX_TASK: Final = 1_100
"""Most characters of a task, which holds all questions word for word."""
CHECKS: Final = 2
"""Places of each report that are opened again."""
MAX_ROUNDS: Final = 4
MAX_LOOKS: Final = 5
"""Most checks in one round."""
MAX_RULES: Final = 4
"""Most unwritten rules that the code follows."""
MAX_BOXES: Final = 9
"""Most boxes of the map in the report."""
BASE_WORDS: Final = 250
"""Most words of the report without the answers."""
QUESTION_WORDS: Final = 100
"""Most words of each answer."""
SCRIPT: Final = "skills.codebase_analysis.analyze"

EXPLORERS: Final = Roster(
    agent=AgentRole.EXPLORE,
    tier=Tier.STANDARD,
    script=Script(module="skills.codebase_analysis.subagent"),
    most=MAX_EXPLORERS,
    at_most=MAX_AT_A_TIME,
    characters=MAX_TASK,
    returns="a REPORT block alone",
    sample=(
        Task(
            "P1",
            "Part: /srv/shop/src/web and /srv/shop/src/forms, 41 files. It ends where src/store is called.\n"
            "Q1: Which code causes a write to `orders`, in which order?\n"
            "Q2: Which place writes a price without its currency?",
        ),
        Task(
            "P2",
            "Part: /srv/shop/src/store, 38 files. Callers outside of it are named, not read.\n"
            "Q1: Which code causes a write to `orders`, in which order?",
        ),
    ),
)


WORKFLOW = Workflow(
    "codebase-analysis",
    *with_prompts(
        __file__,
        "prompts.md",
        StepDef(
            id="scope",
            next={Outcome.OK: "survey", Outcome.FAIL: "synthesize"},
            when={Outcome.OK: "SCOPE has a part, and each part an entry in the list", Outcome.FAIL: "SCOPE is none"},
            slots={"max_questions": MAX_QUESTIONS, "max_files": MAX_FILES, "max_explorers": MAX_EXPLORERS},
        ),
        StepDef(id="survey", handler=EXPLORERS, next={Outcome.OK: "investigate"}, slots={"checks": CHECKS}),
        StepDef(
            id="investigate",
            handler=rounds(MAX_ROUNDS),
            next={Outcome.OK: "synthesize", Outcome.ITERATE: "investigate"},
            when=WHEN,
            slots={
                "max_rounds": MAX_ROUNDS,
                "method": in_the_first_round(
                    __file__, "ledger.md", Command(SCRIPT, ("--step", "3")), {"max_looks": MAX_LOOKS}
                ),
            },
        ),
        StepDef(
            id="synthesize",
            next={Outcome.OK: None},
            slots={
                "base_words": BASE_WORDS,
                "question_words": QUESTION_WORDS,
                "max_boxes": MAX_BOXES,
                "max_rules": MAX_RULES,
            },
        ),
    ),
    module=SCRIPT,
    description="Find out how a codebase works: answers to stated questions, each with its place. It changes nothing.",
)
