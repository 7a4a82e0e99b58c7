"""A dispatch of the step to a sub-agent: its declaration, and the outcome of its reply."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from attrs import frozen

from ..arguments.parameter import Parameter
from ..ast.fields import Node
from ..ast.step import Invoke
from ..types import AgentRole, Outcome, Tier
from ..util.structs import Struct
from .base import AgentChoice, HandlerKind, Result, Script, StepContext

REPLIES: Final[Mapping[Outcome, str]] = MappingProxyType(
    {Outcome.OK: "the agent's reply is PASS", Outcome.FAIL: "the agent's reply is FAIL, or anything else"}
)
"""Conditions of the branches of a dispatched step: a malformed reply counts as FAIL."""


@frozen(kw_only=True)
class Dispatch(Struct, HandlerKind):
    """A handler that hands the step to a sub-agent: the agent's reply, PASS or FAIL, is the outcome OK or FAIL."""

    agent: AgentRole
    """Role of the sub-agent."""
    tier: Tier | None = None
    """Strength of its model; by default that of the role."""
    script: Script
    """The sub-agent's workflow."""
    prompt: str | Callable[[StepContext], str] | None = None
    """Text that the sub-agent gets besides its command, or a function that writes it."""
    returns: str | None = None
    """The reply that the agent must give."""
    verdict: bool = True
    """If False, the outcome is OK for any reply; the agent's work is on record and judged later."""

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        return {}

    @property
    def outcomes(self) -> tuple[frozenset[Outcome], frozenset[Outcome]]:
        return (frozenset(REPLIES),) * 2 if self.verdict else (frozenset({Outcome.OK}), frozenset())

    @property
    def replies(self) -> Mapping[Outcome, str]:
        return REPLIES

    def result(self, context: StepContext) -> Result:
        return AgentChoice({outcome: {} for outcome in REPLIES}) if self.verdict else (Outcome.OK, {})

    def launched(self, context: StepContext) -> Iterator[Node]:
        from ..ast.dispatch import SubagentDispatchNode  # only the steps that dispatch need it

        yield SubagentDispatchNode(
            agent=self.agent,
            tier=self.tier,
            prompt=self.prompt(context) if callable(self.prompt) else self.prompt,
            returns=self.returns,
            invoke=Invoke(self.script.command(context)),
        )

    def flaws(self) -> Iterator[str]:
        if isinstance(self.prompt, str) and "{{" in self.prompt:
            yield "its prompt has a slot that nothing fills; let a function of the context write the prompt"
