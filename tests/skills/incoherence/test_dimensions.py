"""The dimensions are data, and the numbers of the questions are those of the relay."""

from lib.workflow.ast import relay
from skills.incoherence import limits
from skills.incoherence.dimensions import FIELDS, read_dimensions, table


def test_there_are_dimensions_enough_each_with_all_that_a_sweep_is_told() -> None:
    records = read_dimensions()
    assert len({record.id for record in records}) == len(records) >= 12
    for field in FIELDS:
        assert len({record.one(field) for record in records}) == len(records)


def test_the_table_that_one_chooses_from_has_a_line_for_each() -> None:
    assert [line.partition(" | ")[0] for line in table().split("\n")] == [record.id for record in read_dimensions()]


def test_a_batch_is_what_the_relay_takes() -> None:
    assert (limits.MAX_BATCH, limits.MIN_OPTIONS, limits.MAX_OPTIONS, limits.MAX_HEADER) == (
        relay.MAX_QUESTIONS,
        relay.MIN_OPTIONS,
        relay.MAX_OPTIONS,
        relay.MAX_HEADER,
    )
