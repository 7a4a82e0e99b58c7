"""The specification of a run, and of each session in which a process drove it."""

from typing import TYPE_CHECKING, Annotated, Any

from attrs import field, frozen

from ...arguments.parameter import Arg
from ...command import Command
from ...util.structs import Struct
from ..defaults import (
    ATTEMPTS,
    MAX_PARALLEL,
    MOST_AGENTS,
    MOST_ATTEMPTS,
    MOST_CENTS,
    MOST_MINUTES,
    MOST_PARALLEL,
    MOST_SECONDS,
    MOST_TOKENS,
    SECONDS,
)

if TYPE_CHECKING:
    from attrs import Attribute


def _command(spec: "Spec", attribute: "Attribute[Any]", value: str) -> None:
    try:
        Command.read(value)
    except ValueError as error:
        raise ValueError(f"Spec.{attribute.name}: {error}") from None


def _prices(spec: "Spec", attribute: "Attribute[Any]", value: tuple[str, ...]) -> None:
    if value:
        from ..clients.prices import prices_of

        prices_of(value)


def _names(spec: "Spec", attribute: "Attribute[Any]", value: tuple[str, ...]) -> None:
    if value:
        from ..clients.variables import check_names

        check_names(value)


@frozen(kw_only=True)
class Spec(Struct):
    """A run as data: an engine on another machine needs no more."""

    workflow: str
    start: str = field(validator=_command)
    """The first command."""
    request: str = ""
    agent: str
    """Name of a client, or the words of a program."""
    agents: tuple[str, ...] = ()
    """The clients of roles that have their own, `ROLE=CLIENT`; `agent` has those of all others."""
    models: tuple[str, ...] = ()
    """Models that the user chose, `fast=NAME`."""
    max_parallel: Annotated[int, Arg(min=1, max=MOST_PARALLEL)] = MAX_PARALLEL
    attempts: Annotated[int, Arg(min=1, max=MOST_ATTEMPTS)] = ATTEMPTS
    seconds: Annotated[int, Arg(min=1, max=MOST_SECONDS)] = SECONDS
    """Timeout of one attempt."""
    max_agents: Annotated[int, Arg(min=0, max=MOST_AGENTS)] = 0
    """Attempts of agents after which the user is asked; 0 for no ceiling."""
    max_minutes: Annotated[int, Arg(min=0, max=MOST_MINUTES)] = 0
    """Minutes of driven time after which the user is asked; 0 for no ceiling."""
    max_tokens: Annotated[int, Arg(min=0, max=MOST_TOKENS)] = 0
    """Tokens of agents after which the user is asked; 0 for no ceiling."""
    max_cents: Annotated[int, Arg(min=0, max=MOST_CENTS)] = 0
    """Price of agents in US cents after which the user is asked; 0 for no ceiling."""
    prices: tuple[str, ...] = field(default=(), validator=_prices)
    """US dollars for a million tokens of clients that report no price, `codex=2.50`."""
    passes: tuple[str, ...] = field(default=(), validator=_names)
    """Names of variables that agents get although they may hold secrets."""

    def clients(self, role: str) -> tuple[str, ...]:
        """Return the names of the programs for a role, the preferred one first."""
        from ..clients.roles import by_role  # a list of runs needs no clients

        found = by_role(self.agent, self.agents)
        return tuple(each.client for each in next((found[each] for each in found if each == role), found[None]))


@frozen(kw_only=True)
class Pin(Struct):
    """The graph of one script, by its digest."""

    module: str
    digest: str


@frozen(kw_only=True)
class Session(Struct):
    """One process's part of a run: the run's folder and launcher at that time.

    Paths and commands in the following entries are those of that folder and interpreter.
    """

    folder: str
    """The folder of the run."""
    launcher: tuple[str, ...] = ()
    """The words before `-m` in printed commands."""
    graphs: tuple[Pin, ...] = ()
    """Graphs of the scripts that the run may reach; empty if they are not known."""
