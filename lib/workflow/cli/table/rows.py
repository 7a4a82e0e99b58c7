"""The command table: each row holds the data for the parser, the batch, the help and the page of a command."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Concatenate, Final, Generic, NamedTuple, TypeAlias, TypeVar

from attrs import evolve, field, frozen

from ...ast.fields import Node
from ...errors import WorkflowError
from ...state.store import Store
from ...types import AgentRole
from .arguments import Argument, Values
from .signature import arguments_of

H = TypeVar("H")
S = TypeVar("S")

Printed: TypeAlias = Node | str
"""The result of a command: a node, or a text that is printed unchanged."""
Apply: TypeAlias = Callable[[Any, Any, Values], tuple[Any, Printed]]
"""Function of the home, a state and a request that returns the new state and the output."""
BATCH: Final = "batch"
"""The command that every table has."""


class Example(NamedTuple):
    """A complete command line, without the table's own options. Help and page show it; a test runs it."""

    words: tuple[str, ...]
    given: str = ""
    """Text on standard input."""
    early: bool = False
    """True if it is refused, because the examples before it do not lead far enough."""


@frozen(kw_only=True, eq=False, repr=False)
class Row(Generic[H]):
    """One command, made by `On`, `act` or `begin`."""

    name: str
    handler: Callable[..., object]
    roles: tuple[AgentRole, ...]
    """Roles that may use it; a call without a role always may."""
    needs: tuple[str, ...] = ()
    """Keys that creation requires. A row with `id_` and `version` creates without an id, and updates with one."""
    examples: tuple[Example, ...]
    store: Callable[[H], Store[Any]] | None = None
    """Function that finds the file to read or change; None for a row that works on its own, outside of batches."""
    first: Callable[[], Any] | None = None
    """Factory of the state of that file, for a batch that starts a run."""
    apply: Apply | None = None
    changes: bool = False
    skip: int = 1
    """Number of leading handler parameters that are not arguments."""
    check: Callable[..., object] | None = None
    """For a row that starts a run: raises RefusedError if it could not. Such a row may be the first of a batch."""

    @property
    def arguments(self) -> Mapping[str, Argument]:
        """Return its arguments, by key."""
        return arguments_of(self.handler, self.skip)

    @property
    def batched(self) -> bool:
        """Return True if a batch can contain it."""
        return self.store is not None or self.check is not None

    @property
    def help(self) -> str:
        """Return the docstring of its handler."""
        from inspect import cleandoc

        return cleandoc(self.handler.__doc__ or "")

    def run(self, home: H, values: Values) -> Printed:
        """Run a checked request, and return its output."""
        if self.store is None or self.apply is None:
            printed = self.handler(home, **values)
            assert isinstance(printed, (Node, str))
            return printed
        store, apply = self.store(home), self.apply
        if self.changes:
            return store.change(lambda state: apply(home, state, values))
        return apply(home, store.load(), values)[1]


class On(Generic[H, S]):
    """A factory for the rows of one state file.

    Args:
        store: Finds that file from the table's options.
        first: Makes the state for a batch that starts a run.
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
        """Return a command that makes a new state from the old one. Its handler is pure and raises RefusedError."""
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
        """Return a command that only reads. Its handler is pure and raises RefusedError."""
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
        """Return a command that only reads, also other files of the home: its handler gets the state and the home."""
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
    """Return a command that is not a change of one file: it creates, deletes, or calls a program. No batch takes it."""
    return Row(name=name, handler=handler, roles=tuple(roles), examples=tuple(examples))


def begin(
    name: str,
    handler: Callable[Concatenate[H, ...], Node],
    check: Callable[Concatenate[H, ...], object],
    *,
    roles: Sequence[AgentRole],
    examples: Sequence[Example],
) -> Row[H]:
    """Return a command that starts a run; it may be the first of a batch.

    Args:
        name: The word that calls it.
        handler: Does the work; its parameters become flags.
        roles: Those that may call it.
        examples: Filled samples for the help.
        check: Takes the handler's parameters, changes nothing, and raises RefusedError if the handler would.
    """
    return Row(name=name, handler=handler, roles=tuple(roles), examples=tuple(examples), check=check)


def _by_name(rows: Sequence[Row[H]]) -> Mapping[str, Row[H]]:
    named = {row.name: row for row in rows}
    if len(named) < len(rows) or BATCH in named:
        raise WorkflowError(f"a command is in the table twice, or is named {BATCH!r}")
    return named


@frozen(kw_only=True, eq=False, repr=False)
class Table(Generic[H]):
    """All commands of one script."""

    module: str
    """Module that `python3 -m` runs."""
    description: str
    opens: Callable[..., H]
    """Function of the options that all commands share, which returns the home for the rows."""
    rows: Mapping[str, Row[H]] = field(converter=_by_name)
    shared: tuple[str, ...]
    """Words for those options in examples."""
    batch: tuple[Example, ...]
    """Examples of `batch`; empty if no row can be in a batch."""
    word: str = ""
    """Word of `stepscript` that runs the script, if the package registers one."""
    takes: Mapping[str, str] = field(factory=dict)
    """Options that the word fills in if they are missing, by key: a noun phrase for the value."""
    by_word: bool = False
    """True if the word was typed; False for the script."""

    def as_word(self) -> "Table[H]":
        """Return the table for calls by its word."""
        return evolve(self, rows=tuple(self.rows.values()), by_word=True)

    @property
    def options(self) -> Mapping[str, Argument]:
        """Return the options that all commands share, by key."""
        return arguments_of(self.opens, 0)

    @property
    def offered(self) -> Mapping[str, Argument]:
        """Return the options as help shows them: what the word fills in has a default."""
        taken = self.takes if self.by_word else {}
        return {key: each.filled(taken[key]) if key in taken else each for key, each in self.options.items()}

    @property
    def program(self) -> str:
        """Return what was typed before the words of this call."""
        return self.typed if self.by_word else f"python3 -m {self.module}"

    @property
    def before(self) -> Sequence[str]:
        """Return the words for the shared options in the examples of help."""
        filled = {each.spelled for key, each in self.options.items() if key in self.takes} if self.by_word else ()
        pairs = zip(self.shared[::2], self.shared[1::2], strict=True)
        return [word for pair in pairs if pair[0] not in filled for word in pair]

    @property
    def typed(self) -> str:
        """Return what people type before the words of a command."""
        return f"stepscript {self.word}" if self.word else f"python3 -m {self.module}"

    def of(self, role: AgentRole) -> Sequence[str]:
        """Return the commands that a role may use."""
        return [name for name, row in self.rows.items() if role in row.roles]
