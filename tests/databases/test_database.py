"""Documents in PostgreSQL: changes are whole or absent, whatever is killed or lost, and a lost server is reported."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from lib.workflow.command import Command
from lib.workflow.errors import RefusedError
from lib.workflow.state.database import session as module
from lib.workflow.state.database.database import session_of
from lib.workflow.state.files import StateError
from lib.workflow.state.run_documents import database_of
from lib.workflow.state.step_lock import one_at_a_time
from lib.workflow.state.store import Store
from skills.planner.modules import PLANNER
from tests.crowds import all_report
from tests.databases.places import InDatabase, new_name
from tests.databases.server import Server
from tests.laws.test_8_nothing_lost import CROWDS
from tests.tables.restless import prints_of, writers
from tests.tables.shelf import Shelf, opened
from tests.tally import Tally, add, store_at
from tests.wording import carries, coded

STEP = Command(PLANNER, ("--step", "2"))
END_ALL = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'stepscript'"


@pytest.fixture
def store(in_database: InDatabase) -> Store[Tally]:
    store = store_at(Path(in_database.folder, "tally.json"))
    assert store.create(Tally())
    return store


def changed_by(fault: Callable[[], object]) -> Callable[[Tally], tuple[Tally, None]]:
    """Return a change during which something happens."""

    def change(tally: Tally) -> tuple[Tally, None]:
        fault()
        return Tally(("changed",), 1), None

    return change


@contextmanager
def stuck(place: InDatabase, *words: str) -> Iterator[None]:
    """Have another process in the middle of a change, or of a step, and kill it at the end."""
    command = [sys.executable, "-P", "-m", "tests.databases.stuck", place.folder, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd="/", env=dict(os.environ)) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"changing\n"
            yield
        finally:
            process.kill()


def ended(server: Server) -> None:
    """End all connections, as a lost network does."""
    server.ask(END_ALL)


def test_a_run_in_a_database_has_no_file_for_it(store: Store[Tally], in_database: InDatabase) -> None:
    store.change(add("é\n🙂"))
    assert in_database.documents() == {"tally.json": '{\n  "names": [\n    "é\\n🙂"\n  ],\n  "count": 1\n}\n'.encode()}
    assert not os.path.lexists(in_database.folder)


def test_reading_makes_no_table(database: Server, tmp_path: Path) -> None:
    database.ask("CREATE DATABASE empty")
    address = database.address.replace("/runs?", "/empty?")
    place = InDatabase(database, tmp_path, "none")
    store = store_at(Path(place.folder.replace("runs", "empty"), "tally.json"))
    assert store.find() is None
    with pytest.raises(StateError, check=coded("missing-state")):
        store.change(add("a"))
    assert not store.remove()
    assert session_of(address).rows("SELECT to_regclass('stepscript_documents')") == [(None,)]
    store.create(Tally())
    assert store.load() == Tally()


def test_a_lost_connection_during_a_change_changes_nothing(store: Store[Tally], database: Server) -> None:
    with pytest.raises(StateError, check=coded("unusable-database")):
        store.change(changed_by(lambda: ended(database)))
    assert store.load() == Tally()
    store.change(add("a"))
    assert store.load() == Tally(("a",), 1)


def test_a_connection_lost_between_changes_is_made_again(store: Store[Tally], database: Server) -> None:
    for name in ("a", "b"):
        ended(database)
        store.change(add(name))
    ended(database)
    assert store.load() == Tally(("a", "b"), 2)


def test_a_connection_lost_at_the_end_of_a_change_leaves_it_open_if_it_was_saved(
    store: Store[Tally], database: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = module.Session.commit

    def lost(session: module.Session) -> None:
        ended(database)
        commit(session)

    monkeypatch.setattr(module.Session, "commit", lost)
    with pytest.raises(StateError, check=coded("unsure-database")):
        store.change(add("a"))
    assert store.load() == Tally()


def test_a_server_that_is_down_is_refused_until_it_is_back(tmp_path: Path, database: Server) -> None:
    place = InDatabase(database, tmp_path, new_name())
    store = store_at(Path(place.folder, "tally.json"))
    store.create(Tally())
    database.kill()
    try:
        for act in (store.load, lambda: store.change(add("a")), lambda: store.create(Tally()), store.remove):
            with pytest.raises(StateError, check=coded("unusable-database")) as caught:
                act()
            assert carries(str(caught.value), str(database.socket))
    finally:
        database.begin()
    store.change(add("a"))
    assert store.load() == Tally(("a",), 1)


def test_a_server_killed_while_processes_write_loses_no_reported_change(
    database: Server, in_database: InDatabase
) -> None:
    store = opened(in_database.folder)
    store.create(Shelf())
    started = writers(in_database)
    database.kill()
    try:
        said = [title for writer in started for title in prints_of(writer)]
        assert [writer.wait(60) for writer in started] == [1] * len(started)
    finally:
        database.begin()
    reported = set(said)
    titles = {book.title for book in store.load().books}
    assert reported <= titles
    assert len(titles) <= len(reported) + len(started)


def test_a_process_killed_during_a_change_leaves_no_change_and_no_lock(
    store: Store[Tally], in_database: InDatabase
) -> None:
    with stuck(in_database):
        pass
    begun = time.monotonic()
    store.change(add("a"))
    assert time.monotonic() - begun < 5
    assert store.load() == Tally(("a",), 1)


def test_a_lock_that_is_not_free_in_time_is_refused(store: Store[Tally], in_database: InDatabase) -> None:
    impatient = store_at(Path(store.path), wait=0.05)
    with stuck(in_database), pytest.raises(StateError, check=coded("locked-state")):
        impatient.change(add("a"))
    assert store.load() == Tally()


def test_changes_inside_a_change_are_saved_with_it_or_not_at_all(store: Store[Tally], in_database: InDatabase) -> None:
    other = store_at(Path(in_database.folder, "other.json"))
    other.create(Tally())

    def refuse() -> None:
        other.change(add("inner"))
        assert other.load() == Tally(("inner",), 1)
        raise RefusedError("no", "x", "no", "no")

    with pytest.raises(RefusedError, check=coded("no")):
        store.change(changed_by(refuse))
    assert (store.load(), other.load()) == (Tally(), Tally())
    store.change(changed_by(lambda: other.change(add("inner"))))
    assert (store.load(), other.load()) == (Tally(("changed",), 1), Tally(("inner",), 1))


def test_a_step_waits_for_a_step_on_another_host(
    store: Store[Tally], in_database: InDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lib.workflow.state.step_lock.SHORT", 0.02)
    monkeypatch.setattr("lib.workflow.state.step_lock.WAIT", 0.05)
    with stuck(in_database, "step"):
        with (
            pytest.raises(RefusedError, check=coded("step-running")),
            one_at_a_time(in_database.folder, STEP),
        ):
            pass
        store.change(add("a"))  # a command of an agent goes on
    with one_at_a_time(in_database.folder, STEP), one_at_a_time(in_database.folder, STEP):
        store.change(add("b"))
    assert store.load() == Tally(("a", "b"), 2)


def test_a_step_that_has_lost_its_lock_changes_nothing_more(
    store: Store[Tally], in_database: InDatabase, database: Server
) -> None:
    with one_at_a_time(in_database.folder, STEP):
        store.change(add("a"))
        ended(database)
        for _ in range(2):
            with pytest.raises(StateError, check=coded("unusable-database")):
                store.change(add("b"))
    assert store.load() == Tally(("a",), 1)


def test_a_document_over_the_limit_is_refused_unread(store: Store[Tally], in_database: InDatabase) -> None:
    found = database_of(in_database.folder)
    assert found is not None
    found.replace("tally.json", b" " * (16 << 20) + b" " * (16 << 20))
    with pytest.raises(StateError, check=coded("corrupt-state")):
        store.load()


def test_the_servers_own_isolation_level_loses_and_refuses_no_change(in_database: InDatabase, database: Server) -> None:
    database.ask("ALTER ROLE stepscript SET default_transaction_isolation = 'repeatable read'")
    try:
        all_report(CROWDS[1], in_database)
    finally:
        database.ask("ALTER ROLE stepscript RESET default_transaction_isolation")


def test_a_failed_statement_whose_error_is_lost_saves_nothing(store: Store[Tally], in_database: InDatabase) -> None:
    session = session_of(in_database.server.address)
    other = store_at(Path(in_database.folder, "other.json"))
    other.create(Tally())

    def change_another(tally: Tally) -> tuple[Tally, None]:
        other.change(add("inner"))
        with suppress(StateError):
            session.rows("SELECT no_such_function()")
        return tally, None

    with pytest.raises(StateError, check=coded("unusable-database")):
        store.change(change_another)
    assert other.load() == Tally()


def test_an_older_server_is_refused(store: Store[Tally], database: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "OLDEST", 99)
    ended(database)
    with pytest.raises(StateError, check=coded("unusable-database")) as caught:
        store.load()
    assert carries(str(caught.value), "99")


def test_without_psycopg_a_url_is_refused_with_the_extra(
    in_database: InDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, module.__name__)
    with pytest.raises(StateError, check=coded("missing-extra")) as caught:
        store_at(Path(in_database.folder, "tally.json")).load()
    assert carries(caught.value.fix, "stepscript[postgres]")


def test_a_role_that_may_not_make_the_table_uses_an_existing_one(
    store: Store[Tally], in_database: InDatabase, database: Server
) -> None:
    database.ask("CREATE ROLE writer LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON stepscript_documents TO writer")
    place = InDatabase(database, in_database.root, in_database.name)
    folder = place.folder.replace("user%3Dstepscript", "user%3Dwriter")
    writer = store_at(Path(folder, "tally.json"))
    writer.change(add("a"))
    assert store.load() == writer.load() == Tally(("a",), 1)
