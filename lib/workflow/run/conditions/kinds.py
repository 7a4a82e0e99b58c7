"""Known conditions of a client that keep an agent from its reply: what each means, and what to do about it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Final

from attrs import frozen

from ...arguments.parameter import Arg

LATEST: Final = 1 << 40
"""Latest time that a condition can end."""


class Course(StrEnum):
    """The reaction of the driver to a condition."""

    ASK = "asks you at once"
    WAIT = "waits until the limit ends; with `--no-wait`, or if no end is named, asks you at once"
    SLOW = "tries again after growing delays, six times, then asks you"
    RETRY = "tries again as often as `--attempts` allows, then asks you"


class Kind(StrEnum):
    """The kinds of conditions."""

    LOGIN = "login"
    MODEL = "model"
    LIMIT = "limit"
    CREDIT = "credit"
    OVERLOAD = "overload"
    CONTEXT = "context"
    NETWORK = "network"
    PERMISSION = "permission"
    FAILURE = "failure"


SENTENCES: Final[Mapping[Kind, str]] = MappingProxyType(
    {
        Kind.LOGIN: "{client} is not logged in",
        Kind.MODEL: "{client} cannot use the model",
        Kind.LIMIT: "the usage limit of {client} is reached",
        Kind.CREDIT: "the account of {client} has no credit left",
        Kind.OVERLOAD: "the service of {client} is overloaded",
        Kind.CONTEXT: "the conversation of {client} is too long for the model",
        Kind.NETWORK: "{client} cannot reach its service",
        Kind.PERMISSION: "{client} lacks a permission",
        Kind.FAILURE: "{client} failed",
    }
)
FIXES: Final[Mapping[Kind, str]] = MappingProxyType(
    {
        Kind.LOGIN: "Log in with the program's own command, or set its API key",
        Kind.MODEL: "Set a model that your account may use in the client, or start a run with `--model TIER=NAME`",
        Kind.LIMIT: "Wait until the limit is reset, or start a run with another client",
        Kind.CREDIT: "Add credit to the account, or log in with another one",
        Kind.OVERLOAD: "Try again later; the provider's status page lists outages",
        Kind.CONTEXT: "Set a model with a larger context, or give the run a smaller task",
        Kind.NETWORK: "Check the connection, the firewall and the proxy (`HTTPS_PROXY`)",
        Kind.PERMISSION: "Permit it in the client's own settings",
        Kind.FAILURE: "Read its whole output",
    }
)
SPECIAL: Final[Mapping[tuple[Kind, str], str]] = MappingProxyType(
    {
        (Kind.LOGIN, "claude"): "Run `claude auth login`, or set ANTHROPIC_API_KEY to a valid key",
        (Kind.LOGIN, "codex"): "Run `codex login`",
        (Kind.LOGIN, "gemini"): "Start `gemini` and log in with /auth, or set GEMINI_API_KEY to a valid key",
        (Kind.LOGIN, "copilot"): "Run `copilot login`",
        (Kind.LOGIN, "opencode"): "Run `opencode auth login`",
        (Kind.PERMISSION, "claude"): "Start the run without `--unrestricted`, or not as root",
        (
            Kind.PERMISSION,
            "codex",
        ): "Make the project a git repository, or start `codex` in it once and trust it",
        (Kind.PERMISSION, "gemini"): "Start `gemini` in the project once and trust the folder",
    }
)
"""Fixes that name a client's own commands."""
COURSES: Final[Mapping[Kind, Course]] = MappingProxyType(
    {
        Kind.LOGIN: Course.ASK,
        Kind.MODEL: Course.ASK,
        Kind.LIMIT: Course.WAIT,
        Kind.CREDIT: Course.ASK,
        Kind.OVERLOAD: Course.SLOW,
        Kind.CONTEXT: Course.RETRY,
        Kind.NETWORK: Course.SLOW,
        Kind.PERMISSION: Course.ASK,
        Kind.FAILURE: Course.RETRY,
    }
)


@frozen(kw_only=True)
class Condition:
    """The reason why a client cannot work."""

    kind: Kind
    client: str
    """Name of the program."""
    until: Annotated[int, Arg(min=0, max=LATEST)] = 0
    """End of a usage limit, in seconds since the epoch; 0 if unknown."""

    @property
    def course(self) -> Course:
        """Return the reaction to it. A limit without a known end is a question for the user."""
        return Course.ASK if self.kind is Kind.LIMIT and not self.until else COURSES[self.kind]

    @property
    def sentence(self) -> str:
        """Return what it means, with the end of a limit."""
        end = f" until {datetime.fromtimestamp(self.until, UTC):%Y-%m-%d %H:%M} UTC" if self.until else ""
        return f"{SENTENCES[self.kind].format(client=self.client)}{end}"

    @property
    def fix(self) -> str:
        """Return what to do about it."""
        return SPECIAL.get((self.kind, self.client), FIXES[self.kind])
