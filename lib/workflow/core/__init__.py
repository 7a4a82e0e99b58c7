"""Workflows: steps, declared and checked together."""

from importlib import import_module
from typing import TYPE_CHECKING

from ..arguments.parameter import Arg
from ..errors import RefusedError, UsageError, WorkflowError
from ..handlers.base import AgentChoice, AnswersFile, AskAll, AskUser, Decided, Script, State, StepContext, Task
from ..types import Outcome
from .step import Handler, StepDef
from .workflow import Workflow

if TYPE_CHECKING:
    from ..handlers.dispatch import Dispatch
    from ..handlers.fan_out import Roster
    from .step_texts import with_prompts
else:  # to mypy a module with a `__getattr__` has every name
    HOMES = {"Dispatch": "..handlers.dispatch", "Roster": "..handlers.fan_out", "with_prompts": ".step_texts"}

    def __getattr__(name: str) -> object:
        """Import names that only some workflows use."""
        if name in HOMES:
            return getattr(import_module(HOMES[name], __name__), name)
        raise AttributeError(f"module {__name__} has no attribute {name}")


__all__ = [
    "AgentChoice",
    "AnswersFile",
    "Arg",
    "AskAll",
    "AskUser",
    "Decided",
    "Dispatch",
    "Handler",
    "Outcome",
    "RefusedError",
    "Roster",
    "Script",
    "State",
    "StepContext",
    "StepDef",
    "Task",
    "UsageError",
    "Workflow",
    "WorkflowError",
    "with_prompts",
]
