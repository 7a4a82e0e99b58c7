"""Law 8: any number of processes change one file at once. Each reported change persists, even if some are killed."""

import json
import random
import time
from collections.abc import Sequence

import pytest

from lib.workflow.ast.results import Operation
from skills.planner.schema.phase import Phase
from skills.planner.schema.review.document import ItemStatus, Review, ReviewItem
from skills.planner.state.reviews import review_store
from tests.crowds import Crowd, Report, all_report, reported, some_are_killed, unknown
from tests.databases.places import Place
from tests.skills.planner.runs import run_with
from tests.tables.restless import prints_of, writers
from tests.tables.shelf import Book, Shelf, opened

PHASE = Phase.PLAN_DESIGN


def review_of(size: int) -> Review:
    items = (ReviewItem(id=f"qa-{n:03}", scope="*", check=f"check {n}: a <b> & 'c'\n") for n in range(size))
    return Review(phase=PHASE, iteration=1, items=tuple(items))


def begin_review(folder: str) -> None:
    run_with(folder, PHASE)
    review_store(folder, PHASE).create(review_of(50))


def judge_item(address: str, number: int) -> Sequence[str]:
    verdict = ("PASS",) if number % 2 else ("FAIL", "--finding", f"found by {number}")
    options = ("--state-dir", address, "--qr-phase", PHASE)
    return ("-m", "skills.planner.cli.qr", *options, "update-item", f"qa-{number:03}", "--status", *verdict)


def every_verdict_stands(folder: str, reports: Sequence[Report]) -> None:
    items = review_store(folder, PHASE).load().items
    assert [item.id for item in items] == [item.id for item in review_of(50).items]
    judged = {item.id: item for item in items if item.status is not ItemStatus.TODO}
    for report in reports:
        item = judged.get(f"qa-{report.number:03}")
        if report.result is not None:
            assert item is not None
            assert item.status is (ItemStatus.PASS if report.number % 2 else ItemStatus.FAIL)
            assert item.finding == (None if report.number % 2 else f"found by {report.number}")
    assert len(reported(reports)) <= len(judged) <= len(reported(reports)) + unknown(reports)


def begin_shelf(folder: str) -> None:
    opened(folder).create(Shelf((Book(id="B-001", title="The first"),)))


def add_book(address: str, number: int) -> Sequence[str]:
    return ("-m", "tests.tables.shelf_run", "--state-dir", address, "set-book", "--title", f"Book {number}")


def every_book_stands(folder: str, reports: Sequence[Report]) -> None:
    titles = {book.id: book.title for book in opened(folder).load().books}
    for report in reports:
        if report.result is not None:
            assert report.result.operation is Operation.CREATED
            assert titles[report.result.id] == f"Book {report.number}"
    assert len(set(titles.values())) == len(titles)
    assert len(reported(reports)) <= len(titles) - 1 <= len(reported(reports)) + unknown(reports)


def update_book(address: str, number: int) -> Sequence[str]:
    words = ("set-book", "--id", "B-001", "--version", "VERSION", "--note", f"by {number}")
    return ("-m", "tests.tables.retrying", "tests.tables.shelf", "--state-dir", address, *words)


def every_version_was_one_update(folder: str, reports: Sequence[Report]) -> None:
    (book,) = opened(folder).load().books
    versions = [result.version for result in reported(reports)]
    assert len(set(versions)) == len(versions)
    assert max(versions, default=1) <= book.version
    assert len(versions) <= book.version - 1 <= len(versions) + unknown(reports)


CROWDS = (
    Crowd(name="50 judge 50 items", size=50, prepare=begin_review, words=judge_item, check=every_verdict_stands),
    Crowd(name="20 add an entity", size=20, prepare=begin_shelf, words=add_book, check=every_book_stands),
    Crowd(
        name="30 update one entity",
        size=30,
        prepare=begin_shelf,
        words=update_book,
        check=every_version_was_one_update,
    ),
)
ROUNDS = [0, *(pytest.param(number, marks=pytest.mark.thorough) for number in range(1, 10))]


@pytest.mark.parametrize("number", ROUNDS)
@pytest.mark.parametrize("crowd", CROWDS, ids=lambda crowd: crowd.name)
def test_every_change_is_there_and_every_exit_status_true(crowd: Crowd, number: int, place: Place) -> None:
    all_report(crowd, place)


@pytest.mark.parametrize("number", ROUNDS)
@pytest.mark.parametrize("crowd", CROWDS, ids=lambda crowd: crowd.name)
def test_killing_writers_loses_no_reported_change(crowd: Crowd, number: int, place: Place) -> None:
    some_are_killed(crowd, place, number)
    (text,) = (text for name, text in place.documents().items() if name.endswith(".json") and name != "run.json")
    assert isinstance(json.loads(text), dict)


@pytest.mark.parametrize("number", range(5))
def test_writers_killed_while_they_write_lose_nothing(number: int, place: Place) -> None:
    chance = random.Random(number)
    place.make()
    begin_shelf(place.folder)
    started = writers(place)
    for writer in started:
        time.sleep(chance.uniform(0, 0.02))  # not an event, because any moment must do
        writer.kill()
    said = [title for writer in started for title in prints_of(writer)]
    for writer in started:
        writer.wait(10)
    titles = {book.title for book in opened(place.folder).load().books}
    assert said
    assert set(said) <= titles
    assert len(said) + 1 <= len(titles) <= len(said) + 1 + len(started)
    opened(place.folder).change(lambda shelf: (Shelf(shelf.books[:1]), None))
    assert place.documents().keys() == {"shelf.json"}
