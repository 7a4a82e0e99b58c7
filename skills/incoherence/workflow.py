"""Workflow that finds contradictions in a project, has the user decide, and fixes them, in twenty-one steps."""

from collections.abc import Mapping
from typing import Final

from lib.workflow.core import Handler, Outcome, StepDef, Workflow, with_prompts
from lib.workflow.prompts.slots import SlotValue
from lib.workflow.types import MAX_HEADER, MAX_OPTIONS, MIN_OPTIONS, AgentRole

from . import facts, handlers, limits, samples
from .due import MODULE
from .facts import shown
from .methods import asking, method
from .orders import CHANGERS, DIVERS, SWEEPERS, Fact, blocked, copies, look_at, own, state
from .samples import sample, waiting
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
    forwards: Mapping[Outcome, None] | None = None,
) -> StepDef:
    return StepDef(
        id=name,
        handler=handler,
        next=next_,
        slots=slots,
        when=when or {},
        limit=limit,
        forwards=forwards or {},
        changes_state=name == "ask",
    )


def _looking(*words: str) -> Fact:
    return state(AgentRole.GENERAL_PURPOSE, *words)


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
            "sources": shown(facts.sources),
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
            "places": shown(facts.places),
            "max_claims": limits.MAX_CLAIMS,
            "compares": facts.part("compares"),
            "look": facts.part("look"),
            "example": facts.part("example"),
            "not": facts.part("not"),
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
            "record": _looking("close-sweep", "{dimension}", "--swept-file", "-"),
            "max_found": limits.MAX_FOUND,
            "max_more": limits.MAX_MORE,
            "max_text": limits.MAX_TEXT,
            "max_line": limits.MAX_LINE,
            "max_place": limits.MAX_PLACE,
        },
        handlers.format_,
    ),
    _step(
        "select",
        {Outcome.OK: "dive", Outcome.SKIP: "close"},
        {
            "candidates": shown(facts.candidates),
            "record": own("select", "--choices-file", "-"),
            "sample": sample(waiting(lambda run: (each.id for each in run.of(Standing.FOUND)))),
            "whole": look_at("This shows a cut row whole:", facts.cut_pairs),
            "max_line": limits.MAX_LINE,
            "max_dives": lambda context: handlers.run_of(context).depth.dives,
        },
        handlers.select,
        {Outcome.OK: "a choice has `dive` true", Outcome.SKIP: "no choice has `dive` true"},
    ),
    _step(
        "dive",
        {Outcome.OK: "verdicts", Outcome.SKIP: "dig"},
        {"agents": DIVERS, "at_most": limits.MAX_AT_A_TIME},
        handlers.dive,
        {Outcome.OK: "every agent has replied", Outcome.SKIP: ALONE},
        limits.MAX_DIVES,
    ),
    _step(
        "dig",
        {Outcome.OK: "report"},
        {"pair": facts.candidate, "max_looks": limits.MAX_LOOKS},
        handlers.dig,
    ),
    _step(
        "report",
        {Outcome.OK: None, Outcome.ITERATE: "dive", Outcome.SKIP: "verdicts"},
        {
            "record": _looking("report", "{candidate}", "--evidence-file", "-"),
            "max_text": limits.MAX_TEXT,
        },
        handlers.report,
    ),
    _step(
        "verdicts",
        {Outcome.OK: "pose", Outcome.SKIP: "close"},
        {
            "evidence": shown(facts.evidence),
            "record": own("judge", "--verdicts-file", "-"),
            "sample": sample(waiting(lambda run: (each.id for each in run.to_judge()))),
            "max_line": limits.MAX_LINE,
        },
        handlers.verdicts,
        {Outcome.OK: "a verdict is `incoherent`", Outcome.SKIP: "no verdict is `incoherent`"},
    ),
)
RESOLVE: Final = (
    _step(
        "pose",
        {Outcome.OK: "ask"},
        {
            "candidates": shown(facts.unasked),
            "record": own("pose", "--questions-file", "-"),
            "sample": sample(waiting(lambda run: (each.id for each in run.to_pose()))),
            "whole": look_at(
                "Step 12 printed their evidence. If that is gone from your context, this shows one whole:",
                lambda run: (each.id for each in run.to_pose()) if run.questions else (),
            ),
            "max_batch": limits.MAX_BATCH,
            "method": method(
                "pose",
                lambda run: bool(run.questions),
                min_options=MIN_OPTIONS,
                max_options=MAX_OPTIONS,
                max_header=MAX_HEADER,
                max_asked=limits.MAX_ASKED,
                max_line=limits.MAX_LINE,
            ),
        },
        handlers.come_back,
        limit=limits.MAX_DIVES,
    ),
    _step(
        "ask",
        {Outcome.OK: "settle"},
        {"open": facts.to_ask, "method": asking},
        handlers.ask,
        limit=limits.MAX_DIVES,
        forwards={Outcome.OK: None},
    ),
    _step(
        "settle",
        {Outcome.OK: "plan", Outcome.ITERATE: "pose", Outcome.SKIP: "close"},
        {
            "answers": shown(facts.answers, 3500),
            "rules": shown(facts.rules, 2500),
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
            "rules": shown(facts.rules),
            "record": own("plan", "--tasks-file", "-"),
            "sample": sample(samples.files),
            "max_tasks": limits.MAX_TASKS,
            "max_files": limits.MAX_FILES,
        },
    ),
    _step(
        "launch",
        {Outcome.OK: "collect", Outcome.SKIP: "apply"},
        {
            "agents": CHANGERS,
            "blocked": blocked,
            "method": method("launch", lambda run: run.checks() > 0, at_most=limits.MAX_AT_A_TIME),
            "tasks": shown(facts.open_tasks, 2500),
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
            "tasks": shown(facts.delivered, 2500),
            "rules": shown(facts.rules_of_wave, 2000),
            "record": own("check", "--checks-file", "-"),
            "sample": sample(waiting(lambda run: (each.id for each in run.tasks_of(Progress.DELIVERED, run.wave())))),
            "method": method(
                "collect", lambda run: run.checks() > 0, max_tries=limits.MAX_TRIES, max_line=limits.MAX_LINE
            ),
        },
        handlers.come_back,
    ),
    _step(
        "next",
        {Outcome.OK: "close", Outcome.ITERATE: "launch"},
        {"tasks": shown(facts.states), "method": method("next", lambda run: run.checks() > 1)},
        handlers.next_,
    ),
    _step(
        "close",
        {Outcome.OK: None},
        {
            "outcome": shown(facts.outcome, 1400),
            "unseen": shown(facts.unseen, 1600),
            "rules": shown(facts.rules, 800),
            "tasks": shown(facts.states, 800),
            "searched": shown(facts.searched, 800),
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
