"""The list of a roster as text: the request for it, its reader, and the dispatch made of it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ..arguments.stdin import read_input
from ..ast.dispatch import Agent, RosterDispatchNode, RosterForm
from ..ast.fields import Node
from ..ast.nodes import Text
from ..ast.step import Invoke
from ..command import Command
from ..errors import RefusedError
from ..util.characters import canonical, check_name
from .base import Task

if TYPE_CHECKING:
    from .fan_out import Roster

MARK: Final = "- "
"""Beginning of an entry, in the first column."""
INDENT: Final = "  "
"""Beginning of every other line of an entry, so that no text in it can look like an entry."""
MAX_BYTES: Final = 256 * 1024
SHOWN: Final = 5
"""Number of faults shown at a time."""


def form(roster: "Roster") -> RosterForm:
    """Return the request for the list, which the step before prints."""
    return RosterForm(
        least=roster.least,
        most=roster.most,
        characters=roster.characters,
        rule=f"""\
Write {roster.least} to {roster.most} entries, one for each agent: `- `, an id, a colon and the task. A task has at most
{roster.characters} characters; indent its further lines by two spaces. Each agent gets only its own entry, and nothing
else from this conversation. The command with `--roster-file -` reads the list. Put ` <<'END'` after it, then
the list, then a line `END`; or put ` < FILE` after it.""",
        sample=written(roster.sample),
    )


def written(tasks: Iterable[Task]) -> str:
    """Return the list in the format that `read_tasks` reads."""
    return "\n".join(line for task in tasks for line in _lines(task))


def _lines(task: Task) -> Iterator[str]:
    first, *more = task.text.split("\n")
    yield f"{MARK}{task.id}: {first}"
    yield from (f"{INDENT}{line}" if line else "" for line in more)


def tasks_given() -> tuple[Task, ...]:
    """Return the tasks of the list on standard input. Raises RefusedError if it is missing or invalid."""
    try:
        text = read_input(MAX_BYTES).decode()
    except ValueError as error:
        raise _refusal([str(error)]) from None
    return read_tasks(text)


def read_tasks(text: str) -> tuple[Task, ...]:
    """Parse the tasks of a list, which may be indented as a whole.

    Raises RefusedError, which names lines and entries, if the text is not a list.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    first = next((line for line in lines if line.strip()), "")
    margin = first[: len(first) - len(first.lstrip(" "))]
    entries: list[tuple[str, list[str]]] = []
    faults: list[str] = []
    for number, shown in enumerate(lines, 1):
        line = shown.removeprefix(margin)
        name, colon, begun = line.removeprefix(MARK).partition(":")
        if not shown.startswith(margin) and shown.strip():
            faults.append(f"line {number}: {shown!r:.60} is not indented like the first line")
        elif line.startswith(MARK) and colon:
            entries.append((name.strip(), [begun]))
        elif entries and (line.startswith(INDENT) or not line.strip()):
            entries[-1][1].append(line.removeprefix(INDENT))
        elif line.strip():
            faults.append(
                f"line {number}: {line!r:.60}; an entry begins with `{MARK}`, an id and a colon in the first column, "
                "each further line of it with two blanks"
            )
    tasks: list[Task] = []
    for name, held in entries:
        try:
            tasks.append(Task(check_name(name, "id"), canonical("\n".join(held), f"entry {name!r:.60}").strip()))
        except ValueError as error:
            faults.append(str(error))
    if faults:
        raise _refusal(faults)
    return tuple(tasks)


def launched(roster: "Roster", tasks: Sequence[Task], command: Command) -> Iterator[Node]:
    """Yield the nodes of the step with the roster: instructions to launch the agents, and the agents.

    Raises RefusedError for tasks that the roster does not take.
    """
    faults = list(roster.faults(tasks))
    if faults:
        raise _refusal(faults)
    limit = f", at most {roster.at_most} at a time" if roster.at_most else ""
    yield Text(f"""
Launch these agents in parallel{limit}. Give each its prompt and command, word for word, and only these
instructions: run the command first, do what it prints, launch no agents, reply as `returns` says. Wait for all of them.
If one fails or replies in another form, launch it once more; after that its id has no reply.""")
    yield RosterDispatchNode(
        agent=roster.agent,
        tier=roster.tier,
        at_most=roster.at_most,
        returns=roster.returns,
        agents=tuple(Agent(id=task.id, prompt=task.text, invoke=Invoke(command)) for task in tasks),
    )


def _refusal(faults: list[str]) -> RefusedError:
    fix = "Fix the list and give it to the same command again, on its standard input."
    return RefusedError("bad-roster", "the list of agents", "\n".join(faults[:SHOWN]), fix)
