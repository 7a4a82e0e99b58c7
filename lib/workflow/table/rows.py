"""The command table: one row says of a command all that its parser, its batch form, its help and its page need."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Concatenate, Final, Generic, NamedTuple, TypeAlias, TypeVar

from attrs import field, frozen

from ..ast.declare import Node
from ..errors import WorkflowError
from ..store import Store
from ..types import AgentRole
from .arguments import Argument, Values, arguments_of

H = TypeVar("H")
S = TypeVar("S")

Apply: TypeAlias = Callable[[Any, Values], tuple[Any, Node]]
"""A state and a request in; the state afterwards and what is printed out. `On` keeps the two states of one class."""
BATCH: Final = "batch"
"""The command that every table has."""


class Example(NamedTuple):
    """A command line that runs as it stands, behind the table's own options. Help and page show it; a test runs it."""

    words: tuple[str, ...]
    given: str = ""
    """What stands on standard input."""
    early: bool = False
    """Whether the examples before it have not come so far that it is done: then it is refused."""


@frozen(kw_only=True, eq=False, repr=False)
class Row(Generic[H]):
    """One command. It is made by `On.change`, `On.look` or `act`."""

    name: str
    handler: Callable[..., object]
    roles: tuple[AgentRole, ...]
    """Who may use it; a call that names no role may."""
    needs: tuple[str, ...]
    """Keys without which nothing can be created. A row with `id_` and `version` creates where no id is given, and
    updates where both are."""
    examples: tuple[Example, ...]
    store: Callable[[H], Store[Any]] | None = None
    """The file that it reads or changes; None for a row that does as it likes, outside of batches."""
    apply: Apply | None = None
    changes: bool = False

    @property
    def arguments(self) -> Mapping[str, Argument]:
        """What it can be told, by key."""
        return arguments_of(self.handler, 1)

    @property
    def help(self) -> str:
        """What it does: the docstring of its handler."""
        return inspect.cleandoc(self.handler.__doc__ or "")

    def run(self, home: H, values: Values) -> Node:
        """Does what a request of known form asks for, and returns what is printed."""
        if self.store is None or self.apply is None:
            printed = self.handler(home, **values)
            assert isinstance(printed, Node)
            return printed
        store, apply = self.store(home), self.apply
        if self.changes:
            return store.change(lambda state: apply(state, values))
        return apply(store.load(), values)[1]


class On(Generic[H, S]):
    """Makes the rows of one state file. `store` finds that file where the table's options lead."""

    def __init__(self, store: Callable[[H], Store[S]]) -> None:
        self.store = store

    def change(
        self,
        name: str,
        handler: Callable[Concatenate[S, ...], tuple[S, Node]],
        *,
        roles: Sequence[AgentRole],
        examples: Sequence[Example],
        needs: Sequence[str] = (),
    ) -> Row[H]:
        """A command that makes a new state of the old one. Its handler is pure and raises RefusedError."""
        return Row(
            name=name,
            handler=handler,
            roles=tuple(roles),
            needs=tuple(needs),
            examples=tuple(examples),
            store=self.store,
            apply=lambda state, values: handler(state, **values),
            changes=True,
        )

    def look(
        self,
        name: str,
        handler: Callable[Concatenate[S, ...], Node],
        *,
        roles: Sequence[AgentRole],
        examples: Sequence[Example],
    ) -> Row[H]:
        """A command that only reads. Its handler is pure and raises RefusedError."""
        return Row(
            name=name,
            handler=handler,
            roles=tuple(roles),
            needs=(),
            examples=tuple(examples),
            store=self.store,
            apply=lambda state, values: (state, handler(state, **values)),
        )


def act(
    name: str,
    handler: Callable[Concatenate[H, ...], Node],
    *,
    roles: Sequence[AgentRole],
    examples: Sequence[Example],
) -> Row[H]:
    """A command that is no change of one file: it creates, deletes, calls a program. No batch takes it."""
    return Row(name=name, handler=handler, roles=tuple(roles), needs=(), examples=tuple(examples))


def _by_name(rows: Sequence[Row[H]]) -> Mapping[str, Row[H]]:
    named = {row.name: row for row in rows}
    if len(named) < len(rows) or BATCH in named:
        raise WorkflowError(f"a command stands in the table twice, or is called {BATCH!r}")
    return named


@frozen(kw_only=True, eq=False, repr=False)
class Table(Generic[H]):
    """All commands of one script."""

    module: str
    """What `python3 -m` runs."""
    description: str
    opens: Callable[..., H]
    """Takes the options that all commands share, by their names, and returns what the rows work on."""
    rows: Mapping[str, Row[H]] = field(converter=_by_name)
    shared: tuple[str, ...]
    """Words for those options in examples."""
    batch: tuple[Example, ...]
    """Examples of `batch`; none where no row can stand in one."""

    @property
    def options(self) -> Mapping[str, Argument]:
        """What all commands share, by key."""
        return arguments_of(self.opens, 0)

    def of(self, role: AgentRole) -> Sequence[str]:
        """The commands that a role may use."""
        return [name for name, row in self.rows.items() if role in row.roles]
