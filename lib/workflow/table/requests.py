"""One request to a table's command: what must hold of it before any state is read, whichever surface it came by."""

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from ..errors import RefusedError
from ..types import AgentRole
from .arguments import Argument, Values
from .rows import Row, Table

H = TypeVar("H")


class RequestError(ValueError):
    """The request is wrong in itself, whatever the state: `RequestError("FAIL needs {finding}")`.

    Keys of the command's parameters stand in braces, so that each surface can spell them as it takes them; so do other
    values, which are given by name.
    """

    def __init__(self, template: str, **said: str) -> None:
        super().__init__(template)
        self.said = said

    def spelled(self, row: Row[H], spell: Callable[[Argument], str]) -> str:
        """The message, with the names as a surface spells them."""
        names = {key: spell(argument) for key, argument in row.arguments.items()}
        return str(self).format_map({**self.said, **names})


class Request(NamedTuple, Generic[H]):
    """A command, and what it is told."""

    row: Row[H]
    values: Values

    def check(self) -> None:
        """Raises RequestError where a required value is missing, or an update is half told."""
        arguments = self.row.arguments
        missing = [key for key, argument in arguments.items() if argument.required and argument.name not in self.values]
        if missing:
            raise RequestError(f"{_listed(missing)} must be given")
        if "id" not in arguments or "version" not in arguments:
            return
        told = {key for key, argument in arguments.items() if argument.name in self.values}
        if "id" in told and "version" not in told:
            raise RequestError("an update needs {version}: the one that the entity had when you read it")
        if "version" in told and "id" not in told:
            raise RequestError("{version} is for updates; give {id} with it, or leave it out to create")
        missing = [] if "id" in told else [key for key in self.row.needs if key not in told]
        if missing:
            raise RequestError(f"without {{id}} a new one is created, which needs {_listed(missing)}")


def _listed(keys: list[str]) -> str:
    return ", ".join(f"{{{key}}}" for key in keys)


def permit(table: Table[H], row: Row[H], role: AgentRole | None) -> None:
    """Raises RefusedError for a command that is not for the role. A call without a role is a person's."""
    if role is None or role in row.roles:
        return
    owners = ", ".join(row.roles) or "no role"
    own = ", ".join(table.of(role)) or "none"
    fix = f"leave it to them; commands for {role}: {own}"
    raise RefusedError("wrong-role", row.name, f"this command is for {owners}, not for {role}", fix)
