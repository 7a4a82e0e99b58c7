"""The specification of a run, and of each session in which a process drove it."""

from typing import TYPE_CHECKING, Annotated, Any

from attrs import field, frozen

from ..arguments.parameter import Arg
from ..command import Command
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
    """What a run is, as data: an engine on another machine needs no more."""

    workflow: str
    start: str = field(validator=_command)
    """The first command."""
    request: str = ""
    agent: str
    """The name of a client, or the words of a program."""
    models: tuple[str, ...] = ()
    """Those that the user chose, `fast=NAME`."""
    max_parallel: Annotated[int, Arg(min=1, max=MOST_PARALLEL)] = MAX_PARALLEL
    attempts: Annotated[int, Arg(min=1, max=MOST_ATTEMPTS)] = ATTEMPTS
    seconds: Annotated[int, Arg(min=1, max=MOST_SECONDS)] = SECONDS
    """Of one attempt."""


@frozen(kw_only=True)
class Pin:
    """The graph of one script, by its digest."""

    module: str
    digest: str


@frozen(kw_only=True)
class Session:
    """One process's share of a run: where the run lay then, and by what it was driven.

    The paths and commands of the entries that follow are those of that place and that interpreter.
    """

    folder: str
    """The folder of the run."""
    launcher: tuple[str, ...] = ()
    """The words before `-m` in printed commands."""
    graphs: tuple[Pin, ...] = ()
    """Of the scripts that the run may come to; empty where they are not known."""
