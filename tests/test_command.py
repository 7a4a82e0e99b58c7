"""Commands as data: quoting, the launcher, reading back."""

import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.workflow.command import LAUNCHER_VARIABLE, MAX_WORD, Command, CommandError, flags
from lib.workflow.command.quoting import ShellError, join, quote, split
from lib.workflow.errors import UsageError

HOSTILE = [
    "a b",
    "",
    "can't",
    'say "x"',
    "a; rm -rf /",
    "$HOME",
    "`id`",
    "a\\b",
    "#x",
    "~",
    "*",
    "!x",
    "é🙂",
    "a\tb",
    "--x",
]


def test_the_shell_reads_every_word_as_it_was() -> None:
    script = join(["printf", "%s\\0", *HOSTILE])
    run = subprocess.run(["/bin/sh", "-c", script], capture_output=True, encoding="utf-8", check=True)
    assert run.stdout.split("\0")[:-1] == HOSTILE


@given(st.lists(st.text(st.characters(exclude_categories=("Cs", "Cc")))))
def test_words_read_back_as_they_were_joined(words: list[str]) -> None:
    assert split(join(words)) == tuple(words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ()),
        ("\n  a\tb  c \n", ("a", "b", "c")),
        ("a' 'b", ("a b",)),
        ("''", ("",)),
        (r"a\ b\$", ("a b$",)),
        (r'"a \"b\" \$c \x"', (r'a "b" $c \x',)),
        ("a=b,c:d/e.f@g%h+i_j-k", ("a=b,c:d/e.f@g%h+i_j-k",)),
    ],
)
def test_posix_quoting_is_read(text: str, words: tuple[str, ...]) -> None:
    assert split(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "'a",
        '"a',
        "a\\",
        '"a\\',
        "a && b",
        "a | b",
        "a > b",
        "$x",
        '"$x"',
        "`x`",
        '"`x`"',
        "a # b",
        "a*",
        "(a)",
        "~",
        "a\nb",
    ],
)
def test_shell_syntax_is_refused(text: str) -> None:
    with pytest.raises(ShellError):
        split(text)


def test_command_never_contains_the_end_of_a_cdata_section() -> None:
    command = Command("a", ("x ]]> y", "]]>", "']]>'", "]]", ">"))
    assert "]]>" not in str(command)
    assert Command.read(str(command)) == command
    shell = subprocess.run(["/bin/sh", "-c", f"printf %s {quote('a ]]> b')}"], capture_output=True, check=True)
    assert shell.stdout == b"a ]]> b"


@pytest.mark.parametrize("word", ["abc", "a/b.c", "--x=1", "a,b:c@d%e+f"])
def test_plain_word_is_not_quoted(word: str) -> None:
    assert quote(word) == word


def test_a_command_names_the_interpreter_that_printed_it() -> None:
    assert str(Command("a.b", ("--step", "1"))) == f"{quote(sys.executable)} -I -m a.b --step 1"


def test_the_launcher_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LAUNCHER_VARIABLE, "uv run --no-sync python -P")
    assert str(Command("a")) == "uv run --no-sync python -P -m a"
    assert Command.read(str(Command("a"))) == Command("a")
    monkeypatch.setenv(LAUNCHER_VARIABLE, "'/a b/python'")
    assert Command("a").launcher == ("/a b/python",)
    monkeypatch.setenv(LAUNCHER_VARIABLE, "  ")
    assert Command("a").launcher == (sys.executable, "-I")
    for wrong in ("python && x", "python -m", "'", "X=1 python", "''"):
        monkeypatch.setenv(LAUNCHER_VARIABLE, wrong)
        with pytest.raises(UsageError, match="WORKFLOW_PYTHON"):
            Command("a")


@pytest.mark.parametrize("module", ["", "a b", "a-b", "a..b", ".a", "1a", "a;b", "é", "a\n"])
def test_a_module_is_a_dotted_name(module: str) -> None:
    with pytest.raises(CommandError, match="module: "):
        Command(module)


@pytest.mark.parametrize("word", ["a\nb", "\r", "\x00", "\x1b[31m", "\x85", "\u2028", "\u2029", "\x7f", "\ud800"])
def test_a_word_is_one_line(word: str) -> None:
    with pytest.raises(CommandError, match=r"U\+[0-9A-F]{4}"):
        Command("a", (word,))


def test_words_are_a_list_of_strings() -> None:
    with pytest.raises(TypeError, match="'--step 1'"):
        Command("a", "--step 1")
    with pytest.raises(TypeError, match=r"\b1\b"):
        Command("a", (1,))  # type: ignore[arg-type]  # what the test is about


@pytest.mark.parametrize("text", ["", "ls", "python3 a.py", "python3 -m", "-m a", "python3 -m 'a b'", "p -m a; ls"])
def test_text_that_is_not_a_command_is_refused(text: str) -> None:
    with pytest.raises(CommandError):
        Command.read(text)


def test_flags_follow_the_names_and_omit_unset_values() -> None:
    values: dict[str, str | int | bool | None] = {
        "state_dir": "a b",
        "step": 2,
        "loud": True,
        "quiet": False,
        "note": None,
        "text": "-x",
        "empty": "",
        "file": "-",
    }
    words = ("--state-dir", "a b", "--step", "2", "--loud", "--no-quiet", "--text=-x", "--empty", "", "--file", "-")
    assert flags(values) == words


def test_a_word_has_a_stated_length_and_is_read_in_time() -> None:
    Command.read(f"p -m a {'x' * MAX_WORD}")
    with pytest.raises(CommandError, match=f"{MAX_WORD + 1:,}"):
        Command("a", ("x" * (MAX_WORD + 1),))
    begun = time.process_time()
    with pytest.raises(CommandError):
        Command.read(f"p -m a {'x' * 1_000_000}")
    assert time.process_time() - begun < 2
