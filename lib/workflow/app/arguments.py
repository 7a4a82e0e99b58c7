"""The arguments and options that several commands share."""

import math
from collections.abc import Callable
from typing import Final, TypeVar

import click

from ..util.suggest import instead

LONGEST_NUMBER: Final = 18
"""Maximum characters of a number on a command line."""
_DIGITS: Final = frozenset("0123456789.+-e")
F = TypeVar("F", bound=Callable[..., object])


class OneOf(click.Choice[str]):
    """A parameter with a few legal words; for another word, the error suggests the nearest."""

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        return f"{value!r:.60} is unknown. {instead(str(value), map(str, self.choices))}"


class Whole(click.IntRange):
    """A whole number between two inclusive bounds; the error for any other value names them."""

    def __init__(self, least: int, most: int) -> None:
        super().__init__(least, most)
        self.least, self.most = least, most

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value)
        if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) <= LONGEST_NUMBER):
            self.fail(f"{text!r:.60} is not a whole number from {self.least} to {self.most}.", param, ctx)
        if not self.least <= int(text) <= self.most:
            self.fail(f"{text} is not a whole number from {self.least} to {self.most}.", param, ctx)
        return int(text)


class Number(click.FloatRange):
    """A finite number between two inclusive bounds."""

    def __init__(self, least: float, most: float) -> None:
        super().__init__(least, most)
        self.least, self.most = least, most

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        text = str(value)
        try:
            number = float(text) if len(text) <= LONGEST_NUMBER and _DIGITS.issuperset(text) else math.nan
        except ValueError:
            number = math.nan
        if not self.least <= number <= self.most:  # also true for NaN
            self.fail(f"{text!r:.60} is not a number from {self.least:g} to {self.most:g}.", param, ctx)
        return number


def json_option(command: F) -> F:
    """Add the option `--json`, passed as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="print one JSON document, for programs")(command)


def wait_option(command: F) -> F:
    """Add the option `--no-wait`, passed as `no_wait`."""
    text = "when a usage limit is reached, ask instead of waiting until it ends"
    return click.option("--no-wait", is_flag=True, help=text)(command)


def far_options(command: F) -> F:
    """Add `--all-hosts`, and the options of the server that is meant: runs of all hosts, not of this project."""
    text = "runs of all hosts of a Temporal server, not of this project; --address or --namespace imply it"
    return click.option("--all-hosts", is_flag=True, help=text)(address_options(command))


def server_options(command: F) -> F:
    """Add `--address`, `--namespace` and `--host-queue`, of a Temporal server and one of its hosts."""
    text = "queue of the host (default: your name and that of this host)"
    return address_options(click.option("--host-queue", default="", metavar="NAME", help=text)(command))


def address_options(command: F) -> F:
    """Add `--address` and `--namespace`, of a Temporal server."""
    address = click.option(
        "--address",
        default="",
        metavar="HOST:PORT",
        help="address of the Temporal server (default: TEMPORAL_ADDRESS, that of your profile, or 127.0.0.1:7233)",
    )
    namespace = click.option(
        "--namespace",
        default="",
        metavar="NAME",
        help="namespace on the server (default: TEMPORAL_NAMESPACE, that of your profile, or default)",
    )
    return address(namespace(command))


def engine_options(command: F) -> F:
    """Add `--engine`, and the options of its server and host."""
    engine = click.option(
        "--engine",
        type=click.Choice(("local", "temporal")),
        default="local",
        show_default=True,
        help="with temporal, a server keeps the run, and `stepscript worker` executes it",
    )
    text = "pool of hosts that launch the agents (default: the host itself)"
    pool = click.option("--pool", default="", metavar="NAME", help=text)
    return engine(server_options(pool(command)))
