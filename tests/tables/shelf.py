"""A table of commands for the tests: books on a shelf, with every kind of argument."""

import os
from enum import StrEnum
from typing import Annotated, Any, TypeAlias

from attrs import evolve, frozen

from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Code
from lib.workflow.ast.results import EntityResult, Operation
from lib.workflow.cli.table.arguments import UNSET, Flag, Unset, kept, needed
from lib.workflow.cli.table.edits import Edit, EditError, Replacement, replaced
from lib.workflow.cli.table.requests import RequestError
from lib.workflow.cli.table.rows import Example, On, Table, act, begin
from lib.workflow.codec import codec
from lib.workflow.errors import RefusedError, StaleVersionError
from lib.workflow.state.store import Store
from lib.workflow.types import AgentRole
from lib.workflow.util.suggest import expected


class Kind(StrEnum):
    NOVEL = "novel"
    ATLAS = "atlas"


@frozen(kw_only=True)
class Book:
    id: str
    version: int = 1
    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    kind: Kind = Kind.NOVEL
    lent: bool = False
    note: str | None = None
    after: str | None = None
    """The book before it in its series."""


@frozen
class Shelf:
    books: tuple[Book, ...] = ()


Opened: TypeAlias = Store[Shelf]


def no_spaces(value: str) -> None:
    if " " in value:
        raise ValueError(f"{value!r} holds a blank")


Id: TypeAlias = Annotated[str | None, Flag(rule=no_spaces, ref=True, description="what to update")]


def opened(state_dir: Annotated[str, Flag(description="where the shelf is", path=True)]) -> Opened:
    return Store(os.path.join(state_dir, "shelf.json"), codec(Shelf), remedy="run begin", check=titles_differ)


def titles_differ(shelf: Shelf) -> None:
    if len({book.title for book in shelf.books}) < len(shelf.books):
        raise ValueError("books: two have the same title")


def check_room(store: Opened) -> None:
    if os.path.basename(os.path.dirname(store.path)) == "full":
        raise RefusedError("full", store.path, "there is no room for a shelf", "clear the room")


def build(store: Opened) -> Node:
    """Make an empty shelf."""
    check_room(store)
    written = store.create(Shelf())
    return EntityResult(id="shelf", version=1, operation=Operation.CREATED if written else Operation.UNCHANGED)


def fill(store: Opened, books: Annotated[tuple[Book, ...], Flag(description="the first books")]) -> Node:
    """Make a shelf with books."""
    written = store.create(Shelf(books))
    return EntityResult(id="shelf", version=1, operation=Operation.CREATED if written else Operation.UNCHANGED)


def set_book(
    shelf: Shelf,
    id_: Id = None,
    version: Annotated[int | None, Flag(min=1)] = None,
    title: Annotated[str, Flag(description="50% off")] | Unset = UNSET,
    authors: Annotated[tuple[str, ...], Flag(each="author", long=True)] | Edit | Unset = UNSET,
    year: Annotated[int | None, Flag(min=0, max=3000)] | Unset = UNSET,
    kind: Kind | Unset = UNSET,
    lent: bool | Unset = UNSET,
    note: Annotated[str | None, Flag(long=True)] | Unset = UNSET,
    after: Annotated[str | None, Flag(ref=True)] | Unset = UNSET,
    replace: Annotated[tuple[Replacement, ...], Flag(description="OLD by NEW")] = (),
) -> tuple[Shelf, Node]:
    """Add a book, or change one.

    More about it.
    """
    if title == "?":
        raise RequestError("{title} must be known, not {said}", said="{?}")
    if id_ is None:
        before = Book(id=f"B-{len(shelf.books) + 1:03}", version=0, title=needed(title))
    else:
        before = find(shelf, id_)
        if before.version != version:
            raise StaleVersionError(id_, version, before.version, codec(Book).dumps(before))
    try:
        named = authors.of(before.authors) if isinstance(authors, Edit) else kept(authors, before.authors)
        texts: dict[str, Any] = replaced({"title": kept(title, before.title), "note": kept(note, before.note)}, replace)
    except EditError as error:
        raise RefusedError("no-match", before.id, str(error), "nothing was changed") from None
    made = evolve(
        before,
        **texts,
        version=before.version + 1,
        authors=named,
        year=kept(year, before.year),
        kind=kept(kind, before.kind),
        lent=kept(lent, before.lent),
        after=kept(after, before.after),
    )
    books = tuple(made if book.id == made.id else book for book in shelf.books)
    operation = Operation.CREATED if id_ is None else Operation.UPDATED
    result = EntityResult(id=made.id, version=made.version, operation=operation)
    return Shelf(books if id_ else (*books, made)), result


def find(shelf: Shelf, book_id: str) -> Book:
    for book in shelf.books:
        if book.id == book_id:
            return book
    ids = [book.id for book in shelf.books]
    raise RefusedError("unknown-id", book_id, "there is no such book", expected(book_id, ids))


def get_book(shelf: Shelf, book: Annotated[str, Flag(positional=True, rule=no_spaces)]) -> Node:
    """Show a book."""
    return Code(language="json", text=codec(Book).dumps(find(shelf, book)))


def where(shelf: Shelf, store: Opened) -> Node:
    """Say where the shelf is."""
    return Code(text=f"{len(shelf.books)} in {os.path.basename(store.path)}")


def count(shelf: Shelf, kind: Annotated[Kind | None, Flag(positional=True)] = None) -> Node:
    """Count the books."""
    return Code(text=str(len([book for book in shelf.books if kind in (None, book.kind)])))


LIBRARIAN = (AgentRole.ARCHITECT,)
READERS = (AgentRole.ARCHITECT, AgentRole.DEVELOPER)

shelf: On[Opened, Shelf] = On(lambda store: store, first=Shelf)
TABLE = Table(
    module="tests.tables.shelf_run",
    description="Books on a shelf.",
    opens=opened,
    shared=("--state-dir", "state"),
    rows=(
        begin("build", build, check_room, roles=LIBRARIAN, examples=(Example(()),)),
        act("fill", fill, roles=LIBRARIAN, examples=(Example(("--books-file", "-"), "[]"),)),
        shelf.change(
            "set-book",
            set_book,
            roles=LIBRARIAN,
            needs=("title",),
            examples=(
                Example(("--title", "Solaris", "--author", "Lem, Stanisław", "--no-lent")),
                Example(("--id", "B-001", "--version", "1", "--note-file", "-"), "Worn;\nit's the first one."),
            ),
        ),
        shelf.look("get-book", get_book, roles=READERS, examples=(Example(("B-001",)),)),
        shelf.look_around("where", where, roles=READERS, examples=(Example(()),)),
        shelf.look("count", count, roles=READERS, examples=(Example(()), Example(("atlas",)))),
    ),
    batch=(Example((), '[{"command": "set-book", "title": "Roadside Picnic"}, {"command": "count"}]'),),
)
