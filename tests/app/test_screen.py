"""Output for people: colours only if the terminal has them and the user wants them; no control characters of texts."""

import io
from collections.abc import Callable

import pytest

from lib.workflow.app.output.screen import Screen
from tests.app.terminals import Terminal

VARIABLES = ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS")


@pytest.mark.parametrize(
    ("stream", "set_to", "colours"),
    [
        (Terminal, {"TERM": "xterm"}, True),
        (Terminal, {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (Terminal, {"TERM": "dumb"}, False),
        (Terminal, {}, False),
        (io.StringIO, {"TERM": "xterm"}, False),
        (io.StringIO, {"FORCE_COLOR": "1"}, True),
        (io.StringIO, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colours_are_for_terminals_that_have_them_and_people_who_want_them(
    stream: type[io.StringIO], set_to: dict[str, str], colours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in set_to.items():
        monkeypatch.setenv(name, value)
    screen = Screen(stream())
    screen.line("a ", ("b", "bold red"))
    screen.table(("", "head"), [("1", "x"), ("2", "y\nz")])
    assert isinstance(screen.stream, io.StringIO)
    printed = screen.stream.getvalue()
    assert ("\x1b[" in printed) is colours
    if not colours:
        assert printed == "a b\n   head\n1  x\n2  y\n   z\n"


@pytest.mark.parametrize(("said", "width"), [("60", 60), ("500", 100), ("0", 80), ("x", 80), ("", 80)])
def test_prose_is_as_wide_as_the_screen_and_never_too_wide(
    said: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", said)
    screen = Screen(Terminal())
    assert screen.width == width
    screen.paragraph("word " * 99, indent=4)
    assert isinstance(screen.stream, io.StringIO)
    lines = screen.stream.getvalue().splitlines()
    assert width - 8 < max(map(len, lines)) <= width
    assert all(line.startswith("    word") for line in lines)


def test_a_text_is_neither_markup_nor_control(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    screen = Screen(io.StringIO())
    for hostile in ("[red]x[/red]", ":smile:", "\x1b[2J\x07", "\u202ea\nb"):
        screen.line(hostile)
        screen.table(("h",), [(hostile,)])
        screen.error(hostile)
    assert isinstance(screen.stream, io.StringIO)
    printed = screen.stream.getvalue()
    assert printed.count("[red]x[/red]") == printed.count(":smile:") == 3
    assert printed.replace("\n", "").isprintable()


PATH = f"/home/anna maria/{'a long name/' * 20}état.json"


@pytest.mark.parametrize("columns", ["", "40", "200"])
@pytest.mark.parametrize(
    "tell",
    [
        lambda screen: screen.error(PATH),
        lambda screen: screen.finding("tidy", "step 1", PATH),
        lambda screen: screen.paragraph(PATH, 4),
        lambda screen: screen.table(("run", "state"), [(PATH, "done " * 40)]),
        lambda screen: screen.line(PATH),
    ],
)
def test_a_text_is_wrapped_for_people_and_left_whole_for_programs(
    tell: Callable[[Screen], None], columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    stream = io.StringIO()
    tell(Screen(stream))
    assert PATH in stream.getvalue()


@pytest.mark.parametrize("columns", [40, 80, 100])
def test_on_a_terminal_a_word_is_not_broken_and_prose_is_as_narrow_as_that_allows(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    stream, path = Terminal(), f"/home/anna/{'long-name/' * 20}"
    screen = Screen(stream)
    screen.paragraph(f"see {path} and {'a word ' * 30}")
    screen.error(f"see {path} and {'a word ' * 30}")
    lines = [line for line in stream.getvalue().splitlines() if path not in line]
    assert stream.getvalue().count(path) == 2
    assert columns - 12 < max(map(len, lines)) <= columns
