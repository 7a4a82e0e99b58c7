"""One request to a command, with the checks before any state is read; the same for a command line and a batch."""

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from ...errors import RefusedError
from ...types import AgentRole
from .arguments import Argument, Values
from .edits import Edit
from .rows import Row, Table

H = TypeVar("H")


class RequestError(ValueError):
    """Raised for a request that is invalid in every state: `RequestError("FAIL needs {finding}")`.

    Braces hold keys of the command's parameters, so that a command line and a batch can spell them their own way.
    Other values in braces are given by name.
    """

    def __init__(self, template: str, **said: str) -> None:
        super().__init__(template)
        self.said = said

    def spelled(self, row: Row[H], spell: Callable[[Argument], str]) -> str:
        """Return the message, with parameter names as `spell` writes them."""
        names = {key: spell(argument) for key, argument in row.arguments.items()}
        return str(self).format_map({**self.said, **names})


class Request(NamedTuple, Generic[H]):
    """A command and its values."""

    row: Row[H]
    values: Values

    def check(self) -> None:
        """Raise RequestError if a required value is missing, or a value is only for updates and `id` is missing."""
        arguments = self.row.arguments
        keys = {key for key, argument in arguments.items() if argument.name in self.values}
        missing = [key for key, argument in arguments.items() if argument.required and key not in keys]
        if missing:
            raise RequestError(f"{_listed(missing)} must be given")
        if "id" not in arguments or "version" not in arguments or "id" in keys:
            return
        if "version" in keys:
            raise RequestError("{version} is for updates; give {id} with it, or leave it out to create")
        edits = [key for key in keys if arguments[key].replaces or isinstance(self.values[arguments[key].name], Edit)]
        if edits:
            raise RequestError(f"{_listed(edits)}: adding, removing and replacing are for updates; give {{id}}")
        missing = [key for key in self.row.needs if key not in keys]
        if missing:
            raise RequestError(f"give {_listed(missing)} to create one, or {{id}} and {{version}} to change one")


def _listed(keys: list[str]) -> str:
    return ", ".join(f"{{{key}}}" for key in keys)


def permit(table: Table[H], row: Row[H], role: AgentRole | None) -> None:
    """Raise RefusedError if the role may not use the command. A call without a role comes from a person."""
    if role is None or role in row.roles:
        return
    owners = ", ".join(row.roles) or "no role"
    own = ", ".join(table.of(role)) or "none"
    fix = f"leave it to them; commands for {role}: {own}"
    raise RefusedError("wrong-role", row.name, f"this command is for {owners}, not for {role}", fix)
