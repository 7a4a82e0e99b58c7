"""Questions to the clients' programs: version and login, each in one short command that starts no conversation."""

import asyncio
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Final

from attrs import frozen

from ....run.processes import programs
from ....util.characters import on_a_screen
from ....util.search_path import which
from ....util.terminal import plain
from ..clients import Agent

SECONDS: Final = 20.0
"""Time for each answer: some programs take seconds to start."""
LONGEST: Final = 1 << 16
"""Bytes read of each answer."""
SHOWN: Final = 80
_VERSION: Final = re.compile(r"\d[\w.+-]{0,40}")
_COUNT: Final = re.compile(r"(\d{1,4}) (?:credential|environment variable)")


@frozen(kw_only=True)
class Answer:
    """The output of a program."""

    status: int | None
    """Exit status; None if it did not answer in time."""
    text: str
    """Standard output, then standard error, as plain text."""


@frozen(kw_only=True)
class Asked:
    """A client, as its program describes itself."""

    client: str
    version: str = ""
    is_logged_in: bool | None = None
    """None if it is not known."""
    problem: str = ""
    """Reason why the program cannot be used."""
    has_question: bool = False
    """True if the program has a command that says whether it is logged in."""


@frozen(kw_only=True)
class Login:
    """A client's command that says whether it is logged in, and the command that logs it in."""

    words: tuple[str, ...]
    read: Callable[[Answer], bool | None]


def _claude(answer: Answer) -> bool | None:
    try:
        said = json.loads(answer.text[answer.text.find("{") : answer.text.rfind("}") + 1])
    except (ValueError, RecursionError):
        return None
    value = said.get("loggedIn") if isinstance(said, dict) else None
    return value if isinstance(value, bool) else None


def _codex(answer: Answer) -> bool | None:
    if answer.status == 0:
        return True
    return False if "not logged in" in answer.text.lower() else None


def _opencode(answer: Answer) -> bool | None:
    """Count the credentials. Without one, OpenCode uses models that are free."""
    counts = [int(each[1]) for each in _COUNT.finditer(answer.text)]
    return any(counts) if counts else None


LOGINS: Final[Mapping[Agent, Login]] = MappingProxyType(
    {
        Agent.CLAUDE: Login(words=("auth", "status"), read=_claude),
        Agent.CODEX: Login(words=("login", "status"), read=_codex),
        Agent.OPENCODE: Login(words=("auth", "list"), read=_opencode),
    }
)
"""The clients that can be asked. Gemini and Copilot have no such command; Cursor cannot be the agent of a run."""


def program(agent: Agent) -> str:
    """Return the name of a client's program."""
    return "cursor-agent" if agent is Agent.CURSOR else agent.value


def asked(agents: Iterable[Agent] = Agent, seconds: float = SECONDS) -> tuple[Asked, ...]:
    """Ask the clients that are on the path, all at the same time.

    They run in an empty folder: settings of a project could name programs that a client starts.
    """
    here = [agent for agent in agents if which(program(agent))]
    with TemporaryDirectory(prefix="stepscript-") as folder:
        return asyncio.run(_all(here, folder, seconds)) if here else ()


async def _all(agents: Iterable[Agent], folder: str, seconds: float) -> tuple[Asked, ...]:
    return tuple(await asyncio.gather(*(_ask(agent, folder, seconds) for agent in agents)))


async def _ask(agent: Agent, folder: str, seconds: float) -> Asked:
    name, login = program(agent), LOGINS.get(agent)
    questions = [("--version",), *([login.words] if login else [])]
    version, *logged = await asyncio.gather(*(_answer((name, *words), folder, seconds) for words in questions))
    number = _VERSION.search(version.text)
    if version.status is None:
        return Asked(client=name, problem=f"did not answer within {seconds:g} seconds")
    if version.status or number is None:
        said = on_a_screen(version.text[-SHOWN:]) or "it printed nothing"
        return Asked(client=name, problem=f"`{name} --version` ended with exit status {version.status}: {said}")
    is_logged_in = login.read(logged[0]) if login and logged[0].status is not None else None
    return Asked(client=name, version=number[0].rstrip("."), is_logged_in=is_logged_in, has_question=login is not None)


async def _answer(words: tuple[str, ...], folder: str, seconds: float) -> Answer:
    out, errors = _Kept(), _Kept()
    try:
        async with asyncio.timeout(seconds):
            status = await programs.run(words, out=out, errors=errors, environment=dict(os.environ), cwd=folder)
    except TimeoutError:
        return Answer(status=None, text="")
    except OSError as error:
        return Answer(status=127, text=error.strerror or str(error))
    return Answer(status=status, text=plain(f"{out.text}\n{errors.text}").strip())


class _Kept:
    """A sink that keeps the first bytes."""

    def __init__(self) -> None:
        self._kept = bytearray()

    @property
    def text(self) -> str:
        return self._kept.decode(errors="replace")

    def write(self, data: bytes) -> None:
        """Take bytes."""
        self._kept += data[: LONGEST - len(self._kept)]
