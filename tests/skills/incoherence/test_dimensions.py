"""The dimensions are data."""

from skills.incoherence.pages.dimensions import FIELDS, read_dimensions, table


def test_there_are_at_least_twelve_dimensions_with_distinct_fields() -> None:
    records = read_dimensions()
    assert len({record.id for record in records}) == len(records) >= 12
    for field in FIELDS:
        assert len({record.one(field) for record in records}) == len(records)


def test_the_table_that_one_chooses_from_has_a_line_for_each() -> None:
    assert [line.partition(" | ")[0] for line in table().split("\n")] == [record.id for record in read_dimensions()]
