"""Parameters of a step, read from the signature of its handler."""

import inspect
import re
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Optional

import pytest

from lib.workflow.arguments.parameter import Arg, Parameter, Value, parameters_of
from lib.workflow.errors import WorkflowError
from lib.workflow.types import Confidence
from tests.wording import elided

Level = Annotated[Confidence, Arg(description="how sure")]


def handler(
    context: object,
    count: Annotated[int, Arg(min=1, max=5)],
    level: Level | None = None,
    other: Annotated[Confidence | None, Arg(description="x")] = None,
    mode: Annotated[str, Arg(choices=("full", "quick"))] = "full",
    free: Optional[str] = None,  # noqa: UP045 - the older spelling is legal too
    low: Annotated[int, Arg(min=0)] = 0,
    high: Annotated[int, Arg(max=9)] = 0,
    any_number: int = 0,
    state_dir: str = "",
    loud: bool = False,
    short: Annotated[str, Arg(longest=5)] = "",
) -> None: ...


PARAMETERS = parameters_of(handler)


def test_every_parameter_after_the_context_is_read() -> None:
    assert list(PARAMETERS) == [
        "count",
        "level",
        "other",
        "mode",
        "free",
        "low",
        "high",
        "any_number",
        "state_dir",
        "loud",
        "short",
    ]
    assert PARAMETERS["state_dir"].flag == "--state-dir"
    assert PARAMETERS["level"].arg.description == "how sure"
    assert [name for name, parameter in PARAMETERS.items() if parameter.required] == ["count"]


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("count", "1", 1),
        ("count", "5", 5),
        ("level", "high", Confidence.HIGH),
        ("other", "low", Confidence.LOW),
        ("mode", "quick", "quick"),
        ("free", "any text", "any text"),
        ("free", "", ""),
        ("any_number", "-7", -7),
        ("short", "é" * 5, "é" * 5),
    ],
)
def test_a_legal_text_is_read_as_its_value(name: str, text: str, value: Value) -> None:
    assert PARAMETERS[name].read(text) == value


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("count", "0", "'0' … 1 to 5"),
        ("count", "6", "'6' … 1 to 5"),
        ("count", "x", "'x' … 1 to 5"),
        ("low", "-1", "'-1' … 0"),
        ("high", "10", "'10' … 9"),
        ("any_number", "1.0", "'1.0'"),
        ("short", "abcdef", "'abcdef' … 5 characters: … 6"),
        ("level", "sure", "'sure' … exploring, low, medium, high, certain"),
        ("mode", "", "'' … full, quick"),
        ("free", "\x00", "U+0000 … 0"),
        ("free", "a\nb", "U+000A … 1"),
        ("free", "--", "'--'"),
        ("any_number", "\u0663", "'٣'"),
        ("any_number", " 1_0 ", "' 1_0 '"),
    ],
)
def test_an_illegal_text_is_refused_with_what_is_legal(name: str, text: str, says: str) -> None:
    with pytest.raises(ValueError, match=elided(says)):
        PARAMETERS[name].read(text)


@pytest.mark.parametrize(
    ("name", "value"), [("count", True), ("count", "1"), ("loud", 1), ("free", 1), ("count", None)]
)
def test_a_value_of_another_type_is_refused(name: str, value: Value) -> None:
    with pytest.raises(ValueError, match=rf"^{re.escape(repr(value))} "):
        PARAMETERS[name].check(value)


def test_missing_optional_flag_is_none() -> None:
    assert PARAMETERS["level"].check(None) is None


@pytest.mark.parametrize("annotation", [list[str], float, str | int, None])
def test_a_type_that_no_flag_can_carry_is_refused(annotation: object) -> None:
    def strange(context: object, thing: object) -> None: ...

    strange.__annotations__["thing"] = annotation
    with pytest.raises(WorkflowError, match="parameter thing:"):
        parameters_of(strange)


def declare(**hints: object) -> Callable[..., None]:
    """Return a handler whose parameters have these annotations; a pair is an annotation and a default."""

    def handler(context: object, **_: object) -> None: ...

    parameters = [inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    handler.__annotations__.clear()
    for name, hint in hints.items():
        annotation, default = hint if isinstance(hint, tuple) else (hint, inspect.Parameter.empty)
        handler.__annotations__[name] = annotation
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default))
    vars(handler)["__signature__"] = inspect.Signature(parameters)
    return handler


@pytest.mark.parametrize(
    ("handler", "says"),
    [
        (declare(step=int), "parameter step:"),
        (declare(form=str), "parameter form:"),
        (declare(_x=str), "parameter _x:"),
        (declare(x=IntEnum), "parameter x: … IntEnum"),
        (
            declare(x=(Annotated[int, Arg(max=3)], 9)),
            "parameter x: … '9'",
        ),
        (declare(x=(int, "a")), "parameter x:"),
        (declare(x=Annotated[int, Arg(choices=("1",))]), "parameter x: `choices` and `longest`"),
        (
            declare(x=Annotated[str, Arg(min=1)]),
            "parameter x: `choices` and `longest` … `min` and `max` … `samples`",
        ),
        (declare(x=Annotated[int, Arg(longest=1)]), "parameter x: `choices` and `longest`"),
        (declare(x=Annotated[str, Arg(longest=1, samples=("ab",))]), "parameter x: … 'ab'"),
        (declare(x=Annotated[int, Arg(samples=("1",))]), "parameter x: … '1'"),
        (declare(x=Annotated[bool, Arg(samples=("1",))]), "`samples`"),
        (declare(x=Annotated[str, Arg(samples=("a", "b\n"))]), "parameter x:"),
        (declare(x=Annotated[int, Arg(path=True)]), "parameter x: `path`"),
        (declare(x=Annotated[str, Arg(path=True, choices=("a",))]), "parameter x: `path`"),
        (declare(x=(Annotated[str, Arg(path=True)], "")), "parameter x:"),
        (declare(x=(Annotated[str, Arg(path=True)], 1)), "parameter x: … 1"),
        (declare(x=Annotated[str, Arg(path=True, samples=("a\n",))]), "parameter x:"),
        (declare(x=Annotated[int, Arg(min=3, max=1)]), "parameter x: min=3 … max=1"),
        (declare(x=(str | None, "a")), "parameter x:"),
        (declare(x=(str, None)), "parameter x: … `| None`"),
        (lambda: None, ""),
        (lambda *context: None, "`context`"),
        (lambda context, *rest: None, "parameter rest:"),
        (declare(x="Nowhere"), "'Nowhere'"),
    ],
)
def test_a_parameter_that_can_never_work_is_refused(handler: Callable[..., None], says: str) -> None:
    with pytest.raises(WorkflowError, match=elided(says)):
        parameters_of(handler)


def test_an_unannotated_parameter_is_refused() -> None:
    with pytest.raises(WorkflowError, match=elided("parameter thing: … None")):
        parameters_of(lambda context, thing: None)


def test_parameters_are_values() -> None:
    assert PARAMETERS["count"] == Parameter(name="count", type=int, arg=Arg(min=1, max=5), default=None, required=True)


def named(context: object, file: Annotated[str | None, Arg(path=True)] = None) -> None: ...


FILE = parameters_of(named)["file"]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a.md", "{}/a.md"),
        ('-it\'s "$HOME" `id` <x> é', '{}/-it\'s "$HOME" `id` <x> é'),
        (".", "{}"),
        ("./a/./b/", "{}/a/b"),
        ("../a", "{}/../a"),
        ("/a/../b", "/a/../b"),
    ],
)
def test_a_path_is_one_from_the_root_on(text: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert FILE.read(text) == path.format(tmp_path)


@pytest.mark.parametrize(("text", "says"), [("", ""), ("a\nb", "U+000A"), ("--", "'--'")])
def test_a_path_that_no_command_can_carry_is_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=elided(says)):
        FILE.read(text)


def test_relative_path_in_a_deleted_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert FILE.read("/a") == "/a"
    with pytest.raises(ValueError, match="Errno 2"):
        FILE.read("a")
