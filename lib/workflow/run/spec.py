"""The specification of a run, and of each session in which a process drove it."""

import os
from typing import TYPE_CHECKING, Annotated, Any

from attrs import field, frozen

from ..arguments.parameter import Arg
from ..command import Command
from ..command.quoting import ShellError, split
from .defaults import ATTEMPTS, MAX_PARALLEL, MOST_ATTEMPTS, MOST_PARALLEL, MOST_SECONDS, SECONDS

if TYPE_CHECKING:
    from attrs import Attribute


def _command(spec: "Spec", attribute: "Attribute[Any]", value: str) -> None:
    try:
        Command.read(value)
    except ValueError as error:
        raise ValueError(f"Spec.{attribute.name}: {error}") from None


@frozen(kw_only=True)
class Spec:
    """A run as data: an engine on another machine needs no more."""

    workflow: str
    start: str = field(validator=_command)
    """The first command."""
    request: str = ""
    agent: str
    """Name of a client, or the words of a program."""
    models: tuple[str, ...] = ()
    """Models that the user chose, `fast=NAME`."""
    max_parallel: Annotated[int, Arg(min=1, max=MOST_PARALLEL)] = MAX_PARALLEL
    attempts: Annotated[int, Arg(min=1, max=MOST_ATTEMPTS)] = ATTEMPTS
    seconds: Annotated[int, Arg(min=1, max=MOST_SECONDS)] = SECONDS
    """Timeout of one attempt."""

    @property
    def client(self) -> str:
        """Return the name of the agents' program."""
        try:
            words = split(self.agent)
        except ShellError:
            return self.agent
        return os.path.basename(words[0]) if words else self.agent


@frozen(kw_only=True)
class Pin:
    """The graph of one script, by its digest."""

    module: str
    digest: str


@frozen(kw_only=True)
class Session:
    """One process's part of a run: the run's folder and launcher at that time.

    Paths and commands in the following entries are those of that folder and interpreter.
    """

    folder: str
    """The folder of the run."""
    launcher: tuple[str, ...] = ()
    """The words before `-m` in printed commands."""
    graphs: tuple[Pin, ...] = ()
    """Graphs of the scripts that the run may reach; empty if they are not known."""
