"""The command table: one row holds what the parser, the batch form, the help and the page of a command need."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Concatenate, Final, Generic, NamedTuple, TypeAlias, TypeVar

from attrs import field, frozen

from ...ast.fields import Node
from ...errors import WorkflowError
from ...state.store import Store
from ...types import AgentRole
from .arguments import Argument, Values
from .signature import arguments_of

H = TypeVar("H")
S = TypeVar("S")

Printed: TypeAlias = Node | str
"""The result of a command: a node, or a text that is printed to the byte."""
Apply: TypeAlias = Callable[[Any, Any, Values], tuple[Any, Printed]]
"""Takes the home, a state and a request; returns the state afterwards and what is printed."""
BATCH: Final = "batch"
"""The command that every table has."""


class Example(NamedTuple):
    """A command line that runs as it is, behind the table's own options. Help and page show it; a test runs it."""

    words: tuple[str, ...]
    given: str = ""
    """The text on standard input."""
    early: bool = False
    """Whether it is refused, because the examples before it do not lead far enough."""


@frozen(kw_only=True, eq=False, repr=False)
class Row(Generic[H]):
    """One command. It is made by `On`, `act` or `begin`."""

    name: str
    handler: Callable[..., object]
    roles: tuple[AgentRole, ...]
    """Who may use it; a call that names no role may."""
    needs: tuple[str, ...] = ()
    """Keys without which nothing can be created. A row with `id_` and `version` creates where no id is given, and
    updates where one is."""
    examples: tuple[Example, ...]
    store: Callable[[H], Store[Any]] | None = None
    """The file that it reads or changes; None for a row that does as it likes, outside of batches."""
    first: Callable[[], Any] | None = None
    """Makes the state of that file for a batch that begins a run."""
    apply: Apply | None = None
    changes: bool = False
    skip: int = 1
    """How many parameters of the handler are no arguments."""
    check: Callable[..., object] | None = None
    """Of a row that begins a run: raises RefusedError if it could not. Such a row may be the first of a batch."""

    @property
    def arguments(self) -> Mapping[str, Argument]:
        """Its arguments, by key."""
        return arguments_of(self.handler, self.skip)

    @property
    def batched(self) -> bool:
        """Whether a batch takes it."""
        return self.store is not None or self.check is not None

    @property
    def help(self) -> str:
        """The docstring of its handler."""
        return inspect.cleandoc(self.handler.__doc__ or "")

    def run(self, home: H, values: Values) -> Printed:
        """Does what a request of known form asks for, and returns what is printed."""
        if self.store is None or self.apply is None:
            printed = self.handler(home, **values)
            assert isinstance(printed, (Node, str))
            return printed
        store, apply = self.store(home), self.apply
        if self.changes:
            return store.change(lambda state: apply(home, state, values))
        return apply(home, store.load(), values)[1]


class On(Generic[H, S]):
    """Makes the rows of one state file.

    Args:
        store: Finds that file from the table's options.
        first: Makes the state of a run that a batch begins.
    """

    def __init__(self, store: Callable[[H], Store[S]], first: Callable[[], S] | None = None) -> None:
        self.store = store
        self.first = first

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
            first=self.first,
            apply=lambda home, state, values: handler(state, **values),
            changes=True,
        )

    def look(
        self,
        name: str,
        handler: Callable[Concatenate[S, ...], Printed],
        *,
        roles: Sequence[AgentRole],
        examples: Sequence[Example],
    ) -> Row[H]:
        """A command that only reads. Its handler is pure and raises RefusedError."""
        return Row(
            name=name,
            handler=handler,
            roles=tuple(roles),
            examples=tuple(examples),
            store=self.store,
            first=self.first,
            apply=lambda home, state, values: (state, handler(state, **values)),
        )

    def look_around(
        self,
        name: str,
        handler: Callable[Concatenate[S, H, ...], Printed],
        *,
        roles: Sequence[AgentRole],
        examples: Sequence[Example],
    ) -> Row[H]:
        """A command that only reads, other files of the home too: its handler gets the state and the home."""
        return Row(
            name=name,
            handler=handler,
            roles=tuple(roles),
            examples=tuple(examples),
            store=self.store,
            first=self.first,
            apply=lambda home, state, values: (state, handler(state, home, **values)),
            skip=2,
        )


def act(
    name: str,
    handler: Callable[Concatenate[H, ...], Node],
    *,
    roles: Sequence[AgentRole],
    examples: Sequence[Example],
) -> Row[H]:
    """A command that is no change of one file: it creates, deletes, calls a program. No batch takes it."""
    return Row(name=name, handler=handler, roles=tuple(roles), examples=tuple(examples))


def begin(
    name: str,
    handler: Callable[Concatenate[H, ...], Node],
    check: Callable[Concatenate[H, ...], object],
    *,
    roles: Sequence[AgentRole],
    examples: Sequence[Example],
) -> Row[H]:
    """A command that begins a run; it may be the first of a batch.

    Args:
        check: Takes what the handler takes, changes nothing, and raises RefusedError where the handler would.
    """
    return Row(name=name, handler=handler, roles=tuple(roles), examples=tuple(examples), check=check)


def _by_name(rows: Sequence[Row[H]]) -> Mapping[str, Row[H]]:
    named = {row.name: row for row in rows}
    if len(named) < len(rows) or BATCH in named:
        raise WorkflowError(f"a command stands in the table twice, or is called {BATCH!r}")
    return named


@frozen(kw_only=True, eq=False, repr=False)
class Table(Generic[H]):
    """All commands of one script."""

    module: str
    """The module that `python3 -m` runs."""
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
