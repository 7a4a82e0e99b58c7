"""Every example that help and pages show runs as it stands, in the order in which they stand."""

import pytest

from skills.planner.commands.examples import BATCH, EXAMPLES
from skills.planner.commands.plan_table import TABLE
from tests.skills.planner import console


def test_the_examples_make_a_plan_from_an_empty_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("state") / "run"
    for name, examples in (*EXAMPLES.items(), ("batch", BATCH)):
        for example in examples:
            ran = console.plan(folder, name, *example.words, given=example.given)
            assert (ran.status, ran.err) == (0, ""), (name, example, ran)
            assert ran.nodes


def test_every_command_has_an_example_in_the_order_of_the_table() -> None:
    assert all(row.examples for row in TABLE.rows.values())
    assert EXAMPLES.keys() == TABLE.rows.keys()
