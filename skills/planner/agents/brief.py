"""What a sub-agent is told when it is launched: the seven categories of 002's "Context Handover", within a limit."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ..schema.phase import Phase
from ..state.files import CONTEXT_FILE

if TYPE_CHECKING:
    from ..schema.context import Context
    from ..state.run_state import RunState

CATEGORIES: Final = (
    ("Task", "task_spec"),
    ("Constraints", "constraints"),
    ("Entry points", "entry_points"),
    ("Rejected alternatives", "rejected_alternatives"),
    ("Assumptions, none of them checked", "assumptions"),
    ("Invisible knowledge", "invisible_knowledge"),
    ("The user's own words", "user_quotes"),
)
FULL: Final = 5000
"""Characters of the first handover; a step that clients do not cut has room for so much."""
BRIEF: Final = 300
"""Of a goal that is told many times."""
TERSE: Final = 1500
"""Characters of those that follow: their agents read the state files."""


def handover(state: "RunState", phase: Phase) -> str:
    """The prompt of a dispatch: what is to be known, and what the user has answered in this phase."""
    limit = FULL if phase is Phase.PLAN_DESIGN else TERSE
    rest = f"Whole and unabridged: {state.path(CONTEXT_FILE)}"
    return "\n".join([*_lines(state.context, limit), rest, *_answers(state, phase)])


def brief(state: "RunState") -> str:
    """What each of many agents is told, who need little: the goal, and where the rest of the seven stands."""
    goal = next(iter(state.context.task_spec), state.run.task)
    return f"The plan is for this: {_cut(goal)}\nWhat the user asked for, whole: {state.path(CONTEXT_FILE)}"


def assignment(state: "RunState", phase: Phase, milestone: str) -> str:
    """What each of those is told who build the milestones of a wave, and what the user has answered in it."""
    names = {each.id: each.name for each in state.plan.milestones}
    yours = f"You build {milestone}, {names[milestone]}; others build the rest of the wave at the same time."
    return "\n".join([brief(state), yours, *_answers(state, phase)])


def _cut(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= BRIEF else f"{words[:BRIEF].rstrip()} …"


def _lines(context: "Context", limit: int) -> Iterator[str]:
    share = limit // len(CATEGORIES)
    for title, name in CATEGORIES:
        entries: tuple[str, ...] = getattr(context, name)
        yield f"{title}:{'' if entries else ' none'}"
        left = share
        for number, entry in enumerate(entries):
            text = " ".join(entry.split())
            if len(text) > left:
                yield f"- {text[:left].rstrip()} …" if left > len(text) // 2 else f"- … {len(entries) - number} more"
                break
            left -= len(text)
            yield f"- {text}"


def _answers(state: "RunState", phase: Phase) -> Iterator[str]:
    at = state.run.at(phase)[:2]
    given = {answer.header: answer.text for answer in state.run.answers if answer.at[:2] == at}
    if given:
        from lib.workflow.ast.relay import Answer, UserResponse
        from lib.workflow.render.xml import render

        yield ""
        yield render(UserResponse(tuple(Answer(header=header, text=text) for header, text in given.items())))
