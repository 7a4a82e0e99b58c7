"""The role that the skills of this package launch, and its definition for clients."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from lib.workflow.types import AgentRole

CLAIM_CHECKER: Final = AgentRole("claim-checker")


class Definition(NamedTuple):
    """One role, as `stepscript install` writes it."""

    description: str
    tools: tuple[str, ...]
    """Tools by their names in Claude Code."""
    text: str


def definitions() -> Mapping[AgentRole, Definition]:
    """Return the definition of each role."""
    return {
        CLAIM_CHECKER: Definition(
            "Checks the claims of a text against their sources. It changes nothing.",
            ("Bash", "Glob", "Grep", "Read"),
            "You check claims. Open the source of each claim yourself. A claim without a source is refuted.",
        )
    }
