"""A simulated agent for the executor: it changes files as pages say, and makes mistakes."""

from typing import Final

from lib.workflow.ast.relay import Option, Question
from lib.workflow.ast.step import Complete
from lib.workflow.command import Command
from lib.workflow.testing.reader import Page
from lib.workflow.types import AgentRole
from lib.workflow.util.output import REFUSED

from ..phases import EXECUTING, IMPL_CODE, IMPL_DOCS
from ..schema.phase import Phase
from .pages import commands, text_of
from .plan import BUILT
from .planner import At, Planner
from .project import API, LIMIT, README, commit, git, read, write

COMMIT: Final = "commit -m"
"""The phrase on a page that asks for a commit."""
STALE: Final = "# it is faster now\n"
TRUE: Final = "# ten: what the service can stand\n"
WRONG: Final = '    """Serve.\n\n    >>> handle("a")\n    \'refused\'\n    """\n'
_BUILDING: Final = [row.phase for row in EXECUTING]


class Builder(Planner):
    """A simulated agent that also builds. Each phase of wave one fails its first review; the check fails once."""

    errs: bool = True
    """True if the project's check fails once."""

    @property
    def project(self) -> str:
        """Return the project's folder: that of the agent, if it has its own worktree."""
        return self.state.root

    @property
    def lap(self) -> int:
        """Return the lap of the current wave."""
        building = self.state.run.building
        return building.lap if building else 1

    def lead(self, page: Page, step: str) -> None:
        """Commit a wave when a page of the orchestrator asks for it."""
        super().lead(page, step)
        if COMMIT in text_of(page):
            commit(self.project, self.message())

    def message(self) -> str:
        """Return the message of a commit: the milestones of the current wave, or that a lap has fixed it."""
        state = self.state
        building = state.run.building
        assert building is not None
        if building.lap > 1:
            return f"{building.wave}: Fix what the tests have found"
        built = [each.name for each in state.plan.milestones if each.id in building.milestones]
        return f"{building.wave}: {', '.join(built)}"

    def act(self, page: Page, phase: Phase, part: str, step: str) -> None:
        """Do the work of a sub-agent. A reviewer of a half-finished project finds that nothing is done."""
        super().act(page, phase, part, step)
        if page.header.script == "exec-reconcile" and step == "report":
            self.do(self.shown(page, "reconciled"))

    def execute(self, page: Page, phase: Phase, step: str) -> None:
        """Write code that the script could not apply. Documentation dates in wave one, and is false in wave two."""
        super().execute(page, phase, step)
        if phase is IMPL_CODE.phase and step == "implement":
            for command in commands(page, "apply"):
                self.apply(page, command)
        if phase is IMPL_DOCS.phase and step == "read":
            self.document()

    def apply(self, page: Page, command: Command) -> None:
        """Apply an approved change to its file. If that has changed since, write what the intent says."""
        if page.run(command).status == REFUSED:
            write(self.project, API, BUILT)

    def document(self) -> None:
        """Write the missing documentation of a wave."""
        building = self.state.run.building
        assert building is not None
        if building.wave == "W-001":
            self.rewrite(LIMIT, "LIMIT = 10", f"{STALE}LIMIT = 10", unless="#")
            return
        self.rewrite(README, "# Service\n", "# Service\n\nIt refuses callers over the limit.\n", unless="refuses")
        if building.lap == 1 and self.errs:
            self.rewrite(API, "now=second):\n", f"now=second):\n{WRONG}", unless=">>>")

    def fix(self, page: Page, phase: Phase) -> None:
        """Fix the findings of reviews, and of the check in the lap before."""
        if phase not in _BUILDING:
            super().fix(page, phase)
            return
        self.rewrite(LIMIT, STALE, TRUE)
        if self.lap > 1 and not self.overlooks(self.lap):
            self.rewrite(API, "'refused'\n", "'served'\n")
        remark = f"# {'/'.join(map(str, self.state.run.at(phase)))}, round {self.state.round(phase)}\n"
        self.rewrite(LIMIT, "LIMIT = 10", f"{remark}LIMIT = 10", unless=remark)

    def overlooks(self, lap: int) -> bool:
        """Return True if a lap does not fix the failed check."""
        return self.fails and self.chance("check", lap)

    def rewrite(self, file: str, before: str, after: str, unless: str | None = None) -> None:
        """Replace one text by another, if it is present and `unless` is not."""
        text = read(self.project, file)
        if before in text and (unless is None or unless not in text):
            write(self.project, file, text.replace(before, after))

    def fault(self, at: At, item: str, iteration: int) -> str:
        """Fail code of wave one, and documentation that dates, in the first review, unless reviews fail by chance."""
        phase, wave, lap = at
        if self.fails or phase not in _BUILDING:
            return super().fault(at, item, iteration)
        if item != "qa-002":
            return ""
        if phase is IMPL_DOCS.phase:
            return f"{LIMIT}:1 says now." if STALE in read(self.project, LIMIT) else ""
        return "allows(None, 1) counts nobody." if (wave, lap, iteration) == ("W-001", 1, 1) else ""

    def reply(self, page: Page) -> str:
        """Return a summary of the result at the end of a run, from the project's files."""
        if page.role is not AgentRole.ORCHESTRATOR or not isinstance(page.document.blocks[-1], Complete):
            return super().reply(page)
        state = self.state
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
        """Return True for the architect, and the developer of a milestone, before there is an answer."""
        if page.role is not AgentRole.DEVELOPER or page.header.script != f"{IMPL_CODE.phase}-execute":
            return super().wants_to_ask(page)
        return not self.answered(IMPL_CODE.phase)

    def question(self, page: Page) -> Question:
        """Return the agent's question."""
        if page.role is not AgentRole.DEVELOPER:
            return super().question(page)
        options = (Option(label="monotonic"), Option(label="wall"))
        return Question(header="Clock", text="Which clock tells the second?", options=options)
