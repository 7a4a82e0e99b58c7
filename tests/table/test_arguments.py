"""Arguments of a command are read from its handler's signature, or refused there."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import pytest
from attrs import frozen

from lib.workflow.arguments.parameter import Arg
from lib.workflow.cli.table.arguments import UNSET, Flag, Unset, kept, needed
from lib.workflow.cli.table.signature import arguments_of
from lib.workflow.errors import WorkflowError
from lib.workflow.types import Severity
from tests.wording import carries


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


def test_each_parameter_has_a_key_a_spelling_and_legal_values() -> None:
    assert {key: argument.spelled for key, argument in ARGUMENTS.items()} == {
        "place": "PLACE",
        "id": "--id",
        "names": "--name",
        "note": "--note",
        "level": "--level",
        "severity": "--severity",
        "points": "--points-file",
        "marks": "--mark",
        "loud": "--loud",
    }
    legal = {key: argument.legal for key, argument in ARGUMENTS.items()}
    assert all(legal.values())
    assert carries(legal["level"], "1 … 9")
    assert "MUST, SHOULD, COULD" in legal["severity"]
    assert "a, b" in legal["marks"]


def test_type_and_default_decide_what_may_be_absent_or_cleared() -> None:
    assert [key for key, argument in ARGUMENTS.items() if argument.required] == ["place"]
    assert [key for key, argument in ARGUMENTS.items() if argument.clearable] == ["names", "note"]
    assert [key for key, argument in ARGUMENTS.items() if argument.nullable] == ["id", "note"]
    assert [key for key, argument in ARGUMENTS.items() if argument.listed] == ["names", "marks"]


def test_flags_that_differ_have_different_hashes() -> None:
    """Check the hash of flags, because `typing` keeps one `Annotated` for all that are equal."""
    assert len({Flag(each="a"), Flag(each="b"), Flag(long=True), Flag(positional=True), Flag(), Arg()}) == 6


def test_unset_value_keeps_the_old_one() -> None:
    assert (kept(UNSET, 1), kept(2, 1), needed(3)) == (1, 2, 3)


def bounded(
    state: object,
    by_arg: Annotated[str, Arg(longest=3)],
    by_flag: Annotated[str, Flag(longest=3)],
    in_lines: Annotated[str, Flag(longest=3, long=True)],
) -> None: ...


def placed(state: object, by_arg: Annotated[str, Arg(path=True)], by_flag: Annotated[str, Flag(path=True)]) -> None: ...


BOUNDED = arguments_of(bounded, 1)


@pytest.mark.parametrize("name", BOUNDED)
def test_a_text_has_its_longest_however_that_is_declared(name: str) -> None:
    argument = BOUNDED[name]
    assert "3" in argument.legal
    assert (argument.read("abc"), argument.check("abc")) == ("abc", "abc")
    for ask in (argument.read, argument.check):
        with pytest.raises(ValueError, match=r"4 .* 3"):
            ask("abcd")


def test_a_path_is_one_from_the_root_on_however_that_is_declared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for argument in arguments_of(placed, 1).values():
        assert (argument.legal, argument.read("a"), argument.check("a")) == ("a path", *[str(tmp_path / "a")] * 2)


def bad_samples(state: object, value: Annotated[str, Arg(samples=("a",))]) -> None: ...
def bad_min(state: object, value: Annotated[str, Flag(min=1)]) -> None: ...
def bad_longest(state: object, value: Annotated[Point, Flag(longest=1)]) -> None: ...
def bad_choices(state: object, value: Annotated[int, Arg(choices=("1",))]) -> None: ...
def bad_path(state: object, value: Annotated[Severity, Flag(path=True)]) -> None: ...
def bad_long_path(state: object, value: Annotated[str, Flag(path=True, long=True)]) -> None: ...
def bad_long(state: object, value: Annotated[int, Flag(long=True)]) -> None: ...
def bad_long_choice(state: object, value: Annotated[str, Flag(long=True, choices=("a",))]) -> None: ...
def bad_rule(state: object, value: Annotated[bool, Flag(rule=int)]) -> None: ...
def bad_each(state: object, value: Annotated[str, Flag(each="values")]) -> None: ...
def bad_twice(state: object, value: Annotated[tuple[Annotated[str, Flag(longest=1)], ...], Flag(each="x")]) -> None: ...


@pytest.mark.parametrize(
    "wrong",
    [
        *(bad_samples, bad_min, bad_longest, bad_choices, bad_path, bad_long_path),
        *(bad_long, bad_long_choice, bad_rule, bad_each, bad_twice),
    ],
)
def test_unsupported_parameter_is_refused_at_the_handler(wrong: Callable[..., object]) -> None:
    with pytest.raises(WorkflowError, match="parameter value: "):
        arguments_of(wrong, 1)


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
def test_type_that_no_request_can_carry_is_refused_at_the_handler(wrong: Callable[..., object]) -> None:
    with pytest.raises(WorkflowError):
        arguments_of(wrong, 1)
