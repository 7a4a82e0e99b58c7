"""The memo of a run on the server: the facts that a list of runs shows without asking a worker.

A memo needs no permission and no set-up. Search attributes would need both in each namespace, once for each attribute.
"""

from collections.abc import Mapping
from typing import Final

from attrs import asdict, evolve, fields, frozen
from temporalio.client import WorkflowExecution
from temporalio.exceptions import ApplicationError

from ...codec import codec
from ...util.plurals import count
from ..journal.entry import read_questions
from ..journal.projection import RunProjection
from .wire import Launch

LONGEST: Final = 200
"""Maximum characters of a text."""


@frozen(kw_only=True)
class Facts:
    """The facts of one run; empty if its memo has none."""

    task: str = ""
    """The user's request in one line."""
    workflow: str = ""
    phase: str = ""
    """The last printed step."""
    waiting: int = 0
    """Number of open questions to the user."""
    agents: int = 0
    """Number of attempts of agents until that step."""

    def after(self, account: RunProjection) -> "Facts":
        """Return the facts at a later moment. The agents of a step are counted with the next step, or the end."""
        now = evolve(self, phase=short(account.step), waiting=len(account.questions))
        return now if now == self and account.halt is None else evolve(now, agents=account.launched)

    def as_memo(self) -> Mapping[str, str | int]:
        """Return the memo."""
        memo: Mapping[str, str | int] = asdict(self)
        return memo


def short(text: str) -> str:
    """Return the beginning of a text, in one line."""
    return " ".join(text[: 2 * LONGEST].split())[:LONGEST]


def facts_at(launch: Launch) -> Facts:
    """Return the facts of a run that starts or goes on."""
    return Facts(task=short(launch.spec.request), workflow=short(launch.spec.workflow)).after(launch.account)


def details(account: RunProjection) -> str:
    """Return what the server's own page of a run says about its moment, in Markdown. It enters no history."""
    asked = (each for one in account.questions for each in read_questions(one.text).questions)
    waits = "".join(f"\n\nIt waits for an answer: {short(each.text)}" for each in asked)
    return f"{short(account.step)}; {count(account.replied, 'agent')} done{waits}"


async def facts_of(found: WorkflowExecution) -> Facts:
    """Return the facts of a run in a list; a memo of another form has none. Raises ValueError if it is encrypted."""
    try:
        memo = await found.memo()
        known = {field.name: memo[field.name] for field in fields(Facts) if field.name in memo}
        return codec(Facts).decode(known)
    except ApplicationError as error:
        raise ValueError(error.message) from None
    except Exception:  # a converter may raise anything for foreign data; one run must not hide the others
        return Facts()
