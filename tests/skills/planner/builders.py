"""An agent for rehearsals of an execution: it changes the project's files as the prints say, with faults on purpose."""

import os
from typing import Final

from lib.workflow.ast.nodes import Code, Element
from lib.workflow.ast.visitor import walk
from lib.workflow.testing.reader import Page
from lib.workflow.types import AgentRole
from skills.planner.due import EXECUTOR, WAVE_NEXT, WAVE_STEPS
from skills.planner.rehearsal import Planner, option
from skills.planner.schema.phase import Phase
from skills.planner.state.run_state import RunState
from tests.skills.planner.project import BUILT, commit, git, write

SCRATCH: Final = "scratch.txt"
STALE: Final = "# it is faster now\n"
TRUE: Final = "# ten: what the service can stand\n"
WRONG: Final = '    """Serve.\n\n    >>> handle("a")\n    \'refused\'\n    """\n'


class Builder(Planner):
    """Fails the first code review and the first documentation review of wave one, and the project's check once."""

    checks = ("submit",)
    asking = Phase.IMPL_CODE

    @property
    def project(self) -> str:
        """The project's folder."""
        return RunState(self.state_dir).run.project_root

    def work(self, page: Page) -> None:
        """The work of a step; the orchestrator commits after each wave."""
        super().work(page)
        if page.command.module == EXECUTOR and page.header.step == WAVE_STEPS.index(WAVE_NEXT) + 1:
            commit(self.project, "What a wave has built")
        if page.header.script == "exec-implement" or page.header.script.startswith("impl-code-execute"):
            self.build(page)

    def build(self, page: Page) -> None:
        """Brings the changes of a page into the files: as approved, else as their intent says."""
        changes = [node for node in walk(page.document) if isinstance(node, Element) and node.tag == "change"]
        for change in changes:
            (diff,) = (node.text for node in walk(change) if isinstance(node, Code))
            file = str(dict(change.attributes)["file"])
            self.apply(file, diff)
            if file == "src/limit.py":
                write(self.project, SCRATCH, "tried")

    def apply(self, file: str, diff: str) -> None:
        """With git, if it still applies; nothing where it is in already."""
        if os.path.exists(os.path.join(self.project, file)):
            if file == "src/api.py":
                write(self.project, file, BUILT)
            return
        path = os.path.join(self.state_dir, "change.diff")
        with open(path, "w", encoding="utf-8") as opened:
            opened.write(diff)
        git(self.project, "apply", path)

    def fill(self, page: Page, phase: Phase) -> None:
        """Code is in by now; documentation is written, in wave one with wording that dates, in wave two with a lie."""
        if phase is not Phase.IMPL_DOCS:
            return
        run = RunState(self.state_dir).run
        assert run.building is not None
        if run.building.wave == "W-001":
            self.rewrite("src/limit.py", "LIMIT = 10", f"{STALE}LIMIT = 10", unless="#")
            return
        self.rewrite("README.md", "# Service\n", "# Service\n\nIt refuses callers over the limit.\n", unless="refuses")
        if run.building.lap == 1:
            self.rewrite("src/api.py", "count=0):\n", f"count=0):\n{WRONG}", unless=">>>")

    def mend(self, page: Page, phase: Phase) -> None:
        """What the reviews and the check have found."""
        if os.path.exists(os.path.join(self.project, SCRATCH)):
            os.remove(os.path.join(self.project, SCRATCH))
        self.rewrite("src/limit.py", STALE, TRUE)
        self.rewrite("src/api.py", "'refused'\n", "'served'\n")

    def rewrite(self, file: str, before: str, after: str, unless: str | None = None) -> None:
        """Puts one text for another, where it is there and nothing tells that it was done."""
        path = os.path.join(self.project, *file.split("/"))
        if not os.path.exists(path):
            return
        with open(path, encoding="utf-8") as opened:
            text = opened.read()
        if unless is None or unless not in text:
            write(self.project, file, text.replace(before, after))

    def fault(self, phase: Phase, item: str, iteration: int) -> str:
        """Found by looking at the files."""
        if item != "qa-002":
            return ""
        if phase is Phase.IMPL_CODE and os.path.exists(os.path.join(self.project, SCRATCH)):
            return f"{SCRATCH} is explained by no change."
        with open(os.path.join(self.project, "src", "limit.py"), encoding="utf-8") as opened:
            return "src/limit.py:1 says now." if phase is Phase.IMPL_DOCS and "now" in opened.read() else ""

    def wants_to_ask(self, page: Page) -> bool:
        """The developer of M-002, before there is an answer."""
        if page.role is not AgentRole.DEVELOPER or "--milestone" not in page.command.words:
            return False
        return option(page, "--milestone") == "M-002" and not RunState(self.state_dir).run.answers
