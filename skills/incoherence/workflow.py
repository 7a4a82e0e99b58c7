"""Workflow that finds contradictions in a project, has the user decide, and fixes them, in twenty-one steps."""

from collections.abc import Mapping
from typing import Final

from lib.workflow.core import Handler, Outcome, StepDef, Workflow, with_prompts
from lib.workflow.prompts.slots import SlotValue
from lib.workflow.types import MAX_HEADER, MAX_OPTIONS, MIN_OPTIONS, AgentRole

from . import handlers, limits
from .due import MODULE
from .pages import facts, samples
from .pages.facts import shown
from .pages.methods import method
from .pages.orders import (
    CHANGERS,
    DIVERS,
    SWEEPERS,
    Fact,
    before,
    blocked,
    changing,
    copied,
    copies,
    corrects,
    own,
    seen,
    state,
)
from .pages.samples import sample, waiting
from .standing import Progress, Standing

ALONE: Final = "no agent can be launched here, or one has failed twice"
Slots = Mapping[str, SlotValue | Fact]


def _step(
    name: str,
    next_: Mapping[Outcome, str | None],
    slots: Slots,
    handler: Handler = handlers.go_on,
    when: Mapping[Outcome, str] | None = None,
    limit: int | None = None,
    forwards: tuple[Outcome, ...] = (),
) -> StepDef:
    return StepDef(
        id=name,
        handler=handler,
        next=next_,
        slots=slots,
        when=when or {},
        limit=limit,
        forwards=dict.fromkeys(forwards),
        changes_state=name in ("ask", "launch", "next"),
    )


LOOKING: Final = AgentRole.GENERAL_PURPOSE

DETECT: Final = (
    _step(
        "survey",
        {Outcome.OK: "dimensions"},
        {
            "record": own("survey", "--survey-file", "-"),
            "min_sources": limits.MIN_SOURCES,
            "max_sources": limits.MAX_SOURCES,
            "max_text": limits.MAX_TEXT,
            "short_sweeps": limits.SHORT_SWEEPS,
            "short_dives": limits.SHORT_DIVES,
            "short_files": limits.SHORT_FILES,
            "max_sweeps": limits.MAX_SWEEPS,
            "max_dives": limits.MAX_DIVES,
        },
        handlers.survey,
    ),
    _step(
        "dimensions",
        {Outcome.OK: "dispatch"},
        {
            "dimensions": facts.dimensions,
            "sample": sample(samples.sources),
            "record": own("choose", "--sweeps-file", "-"),
            "min_sweeps": limits.MIN_SWEEPS,
            "max_sweeps": lambda context: handlers.run_of(context).depth.sweeps,
        },
        handlers.dimensions,
    ),
    _step(
        "dispatch",
        {Outcome.OK: "select", Outcome.SKIP: "sweep"},
        {"agents": SWEEPERS, "at_most": limits.MAX_AT_A_TIME},
        handlers.dispatch,
        {Outcome.OK: "every agent has replied", Outcome.SKIP: ALONE},
        limits.MAX_SWEEPS,
    ),
    _step(
        "sweep",
        {Outcome.OK: "coverage"},
        {
            "scope": facts.scope,
            "parts": facts.parts,
            "sources": shown(facts.sources),
            "max_claims": limits.MAX_CLAIMS,
        },
        handlers.sweep,
    ),
    _step("coverage", {Outcome.OK: "gaps"}, {}, handlers.sweep),
    _step(
        "gaps",
        {Outcome.OK: "format"},
        {"max_looks": limits.MAX_LOOKS},
        handlers.sweep,
    ),
    _step(
        "format",
        {Outcome.OK: None, Outcome.ITERATE: "dispatch", Outcome.SKIP: "select"},
        {
            "record": state(LOOKING, "sweep", "--swept-file", "-"),
            "sample": sample(samples.of(lambda context: (each.id for each in handlers.sweeps_of(context)))),
            "max_found": limits.MAX_FOUND,
            "max_slips": limits.MAX_SLIPS,
            "max_more": limits.MAX_MORE,
            "max_text": limits.MAX_TEXT,
            "max_line": limits.MAX_LINE,
            "max_place": limits.MAX_PLACE,
        },
        handlers.format_,
    ),
    _step(
        "select",
        {Outcome.OK: "dive", Outcome.SKIP: "verdicts"},
        {
            "candidates": shown(facts.candidates),
            "record": own("select", "--choices-file", "-"),
            "sample": sample(waiting(lambda run: (each.id for each in run.of(Standing.FOUND)))),
            "slips": facts.slips,
            "max_line": limits.MAX_LINE,
            "max_dives": lambda context: handlers.run_of(context).depth.dives,
        },
        handlers.select,
        {Outcome.OK: "a choice has `dive` true", Outcome.SKIP: "no choice has `dive` true"},
        forwards=(Outcome.SKIP,),
    ),
    _step(
        "dive",
        {Outcome.OK: "verdicts", Outcome.SKIP: "dig"},
        {"agents": DIVERS, "at_most": limits.MAX_AT_A_TIME, "most": limits.MAX_PER_DIVER},
        handlers.dive,
        {Outcome.OK: "every agent has replied", Outcome.SKIP: ALONE},
        limits.MAX_DIVES,
    ),
    _step(
        "dig",
        {Outcome.OK: "report"},
        {"pairs": shown(facts.examined), "max_looks": limits.MAX_LOOKS},
        handlers.dig,
    ),
    _step(
        "report",
        {Outcome.OK: None, Outcome.ITERATE: "dive", Outcome.SKIP: "verdicts"},
        {
            "record": state(LOOKING, "report", "--evidence-file", "-"),
            "sample": sample(samples.of(lambda context: (each.id for each in handlers.candidates_of(context)))),
            "max_text": limits.MAX_TEXT,
        },
        handlers.report,
    ),
    _step(
        "verdicts",
        {Outcome.OK: "pose", Outcome.SKIP: "close"},
        {
            "evidence": shown(facts.evidence, 4300),
            "record": own("judge", "--verdicts-file", "-"),
            "sample": sample(waiting(lambda run: (each.id for each in run.to_judge()))),
            "max_line": limits.MAX_LINE,
        },
        handlers.verdicts,
        {
            Outcome.OK: "a verdict is `incoherent`, or a slip waits for the user",
            Outcome.SKIP: "no verdict is `incoherent`",
        },
        forwards=(Outcome.OK, Outcome.SKIP),
    ),
)
RESOLVE: Final = (
    _step(
        "pose",
        {Outcome.OK: "ask"},
        {
            "candidates": shown(facts.unasked),
            "slips": facts.unasked_slips,
            "record": own("pose", "--questions-file", "-"),
            "sample": sample(
                waiting(lambda run: (each.id for each in run.to_pose() if each.standing is not Standing.SLIP))
            ),
            "max_posed": limits.MAX_POSED,
            "method": method(
                "pose",
                lambda run: bool(run.questions),
                min_options=MIN_OPTIONS,
                max_options=MAX_OPTIONS,
                max_header=MAX_HEADER,
                max_asked=limits.MAX_ASKED,
                max_line=limits.MAX_LINE,
            ),
            "correct": corrects,
        },
        handlers.come_back,
        limit=limits.MAX_DIVES,
    ),
    _step(
        "ask",
        {Outcome.OK: "settle"},
        {
            "method": method(
                "ask", lambda run: any(each.answer for each in run.questions), max_text=limits.MAX_TEXT, seen=seen
            )
        },
        handlers.ask,
        limit=limits.MAX_DIVES,
        forwards=(Outcome.OK,),
    ),
    _step(
        "settle",
        {Outcome.OK: "plan", Outcome.ITERATE: "pose", Outcome.SKIP: "close"},
        {
            "answers": shown(facts.answers),
            "rules": facts.rules,
            "record": own("decide", "--decisions-file", "-"),
            "sample": sample(waiting(lambda run: (each.id for each in run.to_settle()))),
            "method": method(
                "settle",
                lambda run: any(each.rule for each in run.questions),
                max_files=limits.MAX_FILES,
                max_planned=limits.MAX_PLANNED,
                max_text=limits.MAX_TEXT,
            ),
        },
        handlers.settle,
        {Outcome.OK: "a rule names a file", Outcome.SKIP: "no rule names a file"},
        limits.MAX_DIVES,
    ),
)
APPLY: Final = (
    _step(
        "plan",
        {Outcome.OK: "launch"},
        {
            "rules": changing,
            "record": own("plan", "--tasks-file", "-"),
            "sample": sample(samples.files),
            "max_tasks": limits.MAX_TASKS,
            "max_files": limits.MAX_FILES,
            "at_most": limits.MAX_AT_A_TIME,
        },
    ),
    _step(
        "launch",
        {Outcome.OK: "collect", Outcome.SKIP: "apply"},
        {
            "agents": CHANGERS,
            "method": method(
                "launch",
                lambda run: run.checks() > 0,
                at_most=limits.MAX_AT_A_TIME,
                before=before,
                copied=copied,
                blocked=blocked,
            ),
        },
        handlers.launch,
        {Outcome.OK: "every task of the wave is on record", Outcome.SKIP: "no agent can be launched here"},
        limits.MAX_TASKS * limits.MAX_TRIES,
    ),
    _step(
        "apply",
        {Outcome.OK: None, Outcome.ITERATE: "launch", Outcome.SKIP: "collect"},
        {
            "work": shown(facts.task),
            "copies": copies,
            "done": state(AgentRole.DEVELOPER, "deliver", "{task}", "--outcome", "done", "--said-file", "-"),
            "max_text": limits.MAX_TEXT,
        },
        handlers.apply,
    ),
    _step(
        "collect",
        {Outcome.OK: "next"},
        {
            "tasks": shown(facts.delivered),
            "record": own("check", "--checks-file", "-"),
            "sample": sample(waiting(lambda run: (each.id for each in run.tasks_of(Progress.DELIVERED, run.wave())))),
            "method": method(
                "collect",
                lambda run: run.checks() > 0,
                max_tries=limits.MAX_TRIES,
                max_line=limits.MAX_LINE,
                before=before,
            ),
        },
        handlers.come_back,
    ),
    _step(
        "next",
        {Outcome.OK: "close", Outcome.ITERATE: "launch"},
        {"tasks": shown(facts.states), "before": before},
        handlers.next_,
        {Outcome.OK: "`STATE` is written", Outcome.ITERATE: "`STATE` is written"},
        forwards=(Outcome.OK, Outcome.ITERATE),
    ),
    _step(
        "close",
        {Outcome.OK: None},
        {
            "counts": facts.counts,
            "corrected": facts.corrected,
            "others": shown(facts.others, 1200),
            "unseen": shown(facts.unseen, 2400),
            "tasks": shown(facts.states, 800),
            "searched": shown(facts.searched, 2500),
            "max_words": limits.MAX_WORDS,
        },
    ),
)

WORKFLOW = Workflow(
    "incoherence",
    *with_prompts(__file__, "detect.md", *DETECT),
    *with_prompts(__file__, "resolve.md", *RESOLVE),
    *with_prompts(__file__, "apply.md", *APPLY),
    module=MODULE,
    description="Find where a project contradicts itself, have the user decide what holds, and fix it.",
    params=("state_dir",),
)
