"""What an agent thinks in a rehearsal of the executor: it changes the files as prints say, and not without faults."""

import os
from typing import Final

from lib.workflow.ast.relay import Option, Question
from lib.workflow.ast.step import Complete
from lib.workflow.command import Command
from lib.workflow.output import REFUSED
from lib.workflow.testing.reader import Page, option
from lib.workflow.types import AgentRole

from ..diffs.git import applied
from ..modules import EXECUTOR
from ..next_step import WAVE_NEXT, WAVE_STEPS
from ..phases import EXECUTING, IMPL_CODE, IMPL_DOCS, RECONCILE
from ..schema.phase import Phase
from ..state.run_state import RunState
from .pages import commands
from .plan import BUILT
from .planner import At, Planner
from .project import API, FILES, LIMIT, README, commit, git, read, write

SECONDS: Final = 60.0
"""For git to apply a diff."""
SCRATCH: Final = "scratch.txt"
STALE: Final = "# it is faster now\n"
TRUE: Final = "# ten: what the service can stand\n"
WRONG: Final = '    """Serve.\n\n    >>> handle("a")\n    \'refused\'\n    """\n'
_BUILDING: Final = [row.phase for row in EXECUTING]


class Builder(Planner):
    """Plans, and builds: each phase of wave one fails its first review, and the project's check fails once."""

    errs: bool = True
    """Whether the project's check fails once."""

    @property
    def project(self) -> str:
        """The project's folder."""
        return RunState(self.state_dir).run.project_root

    @property
    def lap(self) -> int:
        """Of the wave that is being built."""
        building = RunState(self.state_dir).run.building
        return building.lap if building else 1

    def work(self, page: Page) -> None:
        """The work of a step; the orchestrator commits after each wave."""
        super().work(page)
        if page.command.module == EXECUTOR and page.header.step == WAVE_STEPS.index(WAVE_NEXT) + 1:
            commit(self.project, self.message())
        for command in commands(page, "apply"):
            self.apply(page, command)
        if page.command.module == RECONCILE and page.header.step == page.header.total:
            self.do(commands(page, "reconciled")[0])  # nothing of a project that has just begun is done

    def message(self) -> str:
        """Of a commit: the milestones of the wave that has passed its reviews last, or that a lap has mended it."""
        state = RunState(self.state_dir)
        _, name, lap = state.run.gates[-1].at
        if lap > 1:
            return f"{name}: Mend what the tests have found"
        wave = next(each for each in state.run.waves if each.wave == name)
        built = [each.name for each in state.plan.milestones if each.id in (*wave.code, *wave.documentation)]
        return f"{name}: {', '.join(built)}"

    def apply(self, page: Page, command: Command) -> None:
        """Brings an approved change into its file; where that has changed since, as its intent says."""
        if page.run(command).status == REFUSED:
            write(self.project, API, BUILT)
        elif self.changed(option(command, "--id")) == LIMIT:
            write(self.project, SCRATCH, "tried")

    def changed(self, change: str) -> str:
        """The file of an approved change."""
        plan = RunState(self.state_dir).plan
        return next(each.file for item in plan.milestones for each in item.code_changes if each.id == change)

    def fill(self, page: Page, phase: Phase) -> None:
        """Code is in by now; documentation is written, in wave one with wording that dates, in wave two with a lie."""
        if phase not in _BUILDING:
            super().fill(page, phase)
        if phase is IMPL_CODE.phase and RunState(self.state_dir).run.is_light:
            self.build(page)
        if phase is not IMPL_DOCS.phase:
            return
        building = RunState(self.state_dir).run.building
        assert building is not None
        if building.wave == "W-001":
            self.rewrite(LIMIT, "LIMIT = 10", f"{STALE}LIMIT = 10", unless="#")
            return
        self.rewrite(README, "# Service\n", "# Service\n\nIt refuses callers over the limit.\n", unless="refuses")
        if building.lap == 1 and self.errs:
            self.rewrite(API, "now=second):\n", f"now=second):\n{WRONG}", unless=">>>")

    def build(self, page: Page) -> None:
        """The code and the documents of a milestone of a light run, whose plan has no diffs; and a file too many."""
        name = option(page.command, "--milestone")
        (milestone,) = (each for each in self.target.milestones if each.id == name)
        for change in milestone.code_changes:
            if change.file == API:
                write(self.project, API, BUILT)
            elif read(self.project, change.file) != FILES.get(change.file, ""):
                continue  # an earlier attempt may have come so far
            else:
                assert applied(change.diff, self.project, SECONDS) is None
            if change.file == LIMIT:
                write(self.project, SCRATCH, "tried")

    def mend(self, page: Page, phase: Phase) -> None:
        """What the reviews have found, and the check in the lap before. What fails by chance leaves a remark."""
        if phase not in _BUILDING:
            super().mend(page, phase)
            return
        if os.path.exists(os.path.join(self.project, SCRATCH)):
            os.remove(os.path.join(self.project, SCRATCH))
        self.rewrite(LIMIT, STALE, TRUE)
        if self.fails:
            state = RunState(self.state_dir)
            remark = f"# {'/'.join(map(str, state.run.at(phase)))}, round {state.round(phase)}\n"
            self.rewrite(LIMIT, "LIMIT = 10\n", f"LIMIT = 10\n{remark}", unless=remark)
        if self.lap > 1 and not self.overlooks(self.lap):
            self.rewrite(API, "'refused'\n", "'served'\n")

    def overlooks(self, lap: int) -> bool:
        """Whether a lap does not mend what the check has found."""
        return self.fails and self.chance("check", lap)

    def rewrite(self, file: str, before: str, after: str, unless: str | None = None) -> None:
        """Puts one text for another, where it is there and nothing tells that it was done."""
        text = read(self.project, file)
        if before in text and (unless is None or unless not in text):
            write(self.project, file, text.replace(before, after))

    def fault(self, at: At, item: str, iteration: int) -> str:
        """Found by looking at the files, where nothing fails by chance."""
        phase, _, _ = at
        if self.fails or phase not in _BUILDING:
            return super().fault(at, item, iteration)
        if item != "qa-002":
            return ""
        if phase is IMPL_CODE.phase and os.path.exists(os.path.join(self.project, SCRATCH)):
            return f"{SCRATCH} is explained by no change."
        return f"{LIMIT}:1 says now." if phase is IMPL_DOCS.phase and STALE in read(self.project, LIMIT) else ""

    def reply(self, page: Page) -> str:
        """At the end of a run what was made, told from what is there."""
        if page.role is not AgentRole.ORCHESTRATOR or not isinstance(page.document.blocks[-1], Complete):
            return super().reply(page)
        state = RunState(self.state_dir)
        if state.run.aborted:
            return "The run was ended, as the user has chosen."
        named = {each.id: each.name for each in state.plan.milestones}
        if not state.run.finished:
            waves = [f"{wave.id}: {', '.join(named[name] for name in wave.milestones)}" for wave in state.plan.waves]
            return "\n".join(["The plan is approved; plan.md is for people, plan.json for the executor.", *waves])
        verdict = "fail" if state.run.failing else "pass"
        log = git(self.project, "log", "--reverse", "--format=%h %s").splitlines()
        return "\n".join([f"The plan is carried out, and the project's tests {verdict}. Its commits:", *log])

    def wants_to_ask(self, page: Page) -> bool:
        """The architect, and the developer of M-002, before there is an answer."""
        if page.role is not AgentRole.DEVELOPER or "--milestone" not in page.command.words:
            return super().wants_to_ask(page)
        return option(page.command, "--milestone") == "M-002" and not self.answered(IMPL_CODE.phase)

    def question(self, page: Page) -> Question:
        """What it asks."""
        if page.role is not AgentRole.DEVELOPER:
            return super().question(page)
        options = (Option(label="monotonic"), Option(label="wall"))
        return Question(header="Clock", text="Which clock tells the second?", options=options)
