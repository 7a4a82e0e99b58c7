"""What a command can be told is read from its handler's signature, or refused there."""

from collections.abc import Callable
from typing import Annotated

import pytest
from attrs import frozen

from lib.workflow.errors import WorkflowError
from lib.workflow.parameters import Arg
from lib.workflow.table.arguments import UNSET, Flag, Unset, arguments_of, kept, needed
from lib.workflow.types import Severity


@frozen
class Point:
    x: int


def handler(
    state: object,
    place: Annotated[str, Flag(positional=True)],
    id_: str | None = None,
    names: Annotated[tuple[str, ...], Flag(each="name")] | Unset = UNSET,
    note: Annotated[str | None, Flag(long=True)] | Unset = UNSET,
    level: Annotated[int, Arg(min=1, max=9, description="how high")] | Unset = UNSET,
    severity: Severity = Severity.MUST,
    points: tuple[Point, ...] = (),
    marks: tuple[Annotated[str, Flag(each="mark", choices=("a", "b"))], ...] = (),
    loud: bool = False,
) -> None: ...


ARGUMENTS = arguments_of(handler, 1)


def test_each_parameter_has_a_key_a_spelling_and_what_is_legal() -> None:
    told = {key: (argument.spelled, argument.legal) for key, argument in ARGUMENTS.items()}
    assert told == {
        "place": ("PLACE", "a line of text"),
        "id": ("--id", "a line of text"),
        "names": ("--name", "a line of text"),
        "note": ("--note", "a text"),
        "level": ("--level", "a whole number, 1 to 9"),
        "severity": ("--severity", "one of MUST, SHOULD, COULD"),
        "points": ("--points-file", "a JSON document"),
        "marks": ("--mark", "one of a, b"),
        "loud": ("--loud", "yes or no"),
    }


def test_what_can_be_absent_or_taken_away_follows_from_type_and_default() -> None:
    assert [key for key, argument in ARGUMENTS.items() if argument.required] == ["place"]
    assert [key for key, argument in ARGUMENTS.items() if argument.clearable] == ["names", "note"]
    assert [key for key, argument in ARGUMENTS.items() if argument.nullable] == ["id", "note"]
    assert [key for key, argument in ARGUMENTS.items() if argument.listed] == ["names", "marks"]


def test_flags_that_differ_are_told_apart() -> None:
    """Typing keeps one `Annotated` for all that are equal."""
    assert len({Flag(each="a"), Flag(each="b"), Flag(long=True), Flag(positional=True), Flag(), Arg()}) == 6


def test_what_was_not_given_stays() -> None:
    assert (kept(UNSET, 1), kept(2, 1), needed(3)) == (1, 2, 3)


def bad_dict(state: object, value: dict[str, str]) -> None: ...
def bad_float(state: object, value: float = 0.0) -> None: ...
def bad_bare(state: object, value) -> None: ...  # type: ignore[no-untyped-def]  # what the test is about
def bad_union(state: object, value: int | str) -> None: ...
def bad_role(state: object, role: str) -> None: ...
def bad_command(state: object, command_: str) -> None: ...
def bad_private(state: object, _value: str) -> None: ...
def bad_name(state: object, value: "NoSuchType") -> None: ...  # type: ignore[name-defined]  # noqa: F821 - the same


@pytest.mark.parametrize(
    "wrong", [bad_dict, bad_float, bad_bare, bad_union, bad_role, bad_command, bad_private, bad_name]
)
def test_what_no_request_can_carry_is_refused_at_the_handler(wrong: Callable[..., object]) -> None:
    with pytest.raises(WorkflowError):
        arguments_of(wrong, 1)
