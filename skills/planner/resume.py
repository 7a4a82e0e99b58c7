"""`python3 -m skills.planner.resume`: prints the command of a run's next step, computed from its state files."""

import sys
from collections.abc import Sequence

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Document, Element
from lib.workflow.ast.step import Complete, Invoke, InvokeAfter
from lib.workflow.cli.script import run
from skills.planner.agents.slots import rules
from skills.planner.modules import RESUME
from skills.planner.next_step import due
from skills.planner.queries.arguments import FORMS, parsed, printed
from skills.planner.queries.consent import check_consent
from skills.planner.state.run_state import RunState

DOES = "Print the next command of a run, the reason, and the rules for every step."


def document_of(state: RunState) -> Document:
    """Return the run, the next command and its reason, or the end if none exists.

    Raises RefusedError for a run that this user has neither started nor agreed to.
    """
    check_consent(state)
    found = due(state)
    command = found.command(state.state_dir)
    texts = [Element("task", {}, state.run.task), Element("why", {}, found.why), Element("rules", {}, rules())]
    after: Node = InvokeAfter(invoke=Invoke(command)) if command else Complete()
    return Document([Element("run", {"state_dir": state.state_dir}, texts), after])


def main(words: Sequence[str], program: str = f"python3 -m {RESUME}") -> int:
    """Print the document and return the exit status."""
    return run(RESUME, words, FORMS, lambda: printed(parsed(program, DOES, words), document_of))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
