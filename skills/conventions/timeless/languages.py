"""Syntax of comments and strings in each language, and the language by a file's name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class Text(NamedTuple):
    """A kind of string, in which the mark of a comment does not count."""

    begin: str
    end: str
    escape: str = "\\"
    """The character that escapes the next one; empty for none."""
    long: bool = False
    """True if the string may continue over the end of a line."""


class Language(NamedTuple):
    """The marks of comments, and the strings that may contain them."""

    line: tuple[str, ...] = ()
    block: tuple[tuple[str, str], ...] = ()
    texts: tuple[Text, ...] = ()
    spaced: bool = False
    """True if a line comment's mark needs a space, or nothing, before it."""


DOUBLE: Final = Text('"', '"')
SINGLE: Final = Text("'", "'")
TRIPLE: Final = (Text('"""', '"""', long=True), Text("'''", "'''", long=True))
RAW: Final = Text("`", "`", long=True)
STARS: Final = (("/*", "*/"),)
C: Final = Language(("//",), STARS, (Text('R"(', ')"', "", True), DOUBLE, SINGLE))
SCRIPT: Final = Language(("//",), STARS, (RAW, DOUBLE, SINGLE))
SHELL: Final = Language(("#",), (), (Text('"', '"', long=True), Text("'", "'", "", True)), spaced=True)
HASH: Final = Language(("#",), (), (*TRIPLE, DOUBLE, SINGLE))
WORDS: Final = Language(("#",), (), (DOUBLE,), spaced=True)
"""Data whose words may contain an apostrophe."""
RUST: Final = Language(("//",), STARS, (Text('r#"', '"#', "", True), Text("'\"'", "", ""), Text('"', '"', long=True)))
SQL: Final = Language(("--",), STARS, (Text("'", "'", "", True), Text('"', '"', "", True)))
MARKUP: Final = Language((), (("<!--", "-->"),))
CSS: Final = Language((), STARS, (DOUBLE, SINGLE))
LISP: Final = Language((";",), (("#|", "|#"),), (Text('"', '"', long=True),))
_NAMES: Final[Mapping[Language, str]] = MappingProxyType(
    {
        C: "c cc cpp cxx h hh hpp cs java kt kts scala swift dart zig proto m mm groovy gradle",
        SCRIPT: "js jsx ts tsx mjs cjs go",
        SHELL: "sh bash zsh ksh fish rb pl pm",
        HASH: "pyi toml jl ex exs r nix tf hcl",
        WORDS: "yml yaml mk cmake cfg conf Makefile Dockerfile Justfile",
        RUST: "rs",
        SQL: "sql",
        Language(("--",), (("--[[", "]]"),), (DOUBLE, SINGLE)): "lua",
        Language(("--",), (("{-", "-}"),), (DOUBLE,)): "hs elm",
        Language(("//", "#"), STARS, (DOUBLE, SINGLE)): "php",
        CSS._replace(line=("//",)): "scss less",
        CSS: "css",
        MARKUP: "html htm xml svg vue",
        LISP: "lisp el clj cljs scm ini",
        Language(("%",), (), ()): "tex erl",
    }
)
LANGUAGES: Final[Mapping[str, Language]] = MappingProxyType(
    {name: language for language, names in _NAMES.items() for name in names.split()}
)
"""Languages by the extension of a file's name, or by the whole name."""
PYTHON: Final = frozenset({"py", "pyw"})
PROSE: Final = frozenset({"md", "markdown"})
PLAIN: Final = frozenset({"rst", "adoc"})
KNOWN: Final = PYTHON | PROSE | PLAIN | frozenset(LANGUAGES)


def language_of(path: str) -> str | None:
    """Return the key of the language in which a file is written; None for one that is not read."""
    name = path.replace("\\", "/").rpartition("/")[2]
    end = name.rpartition(".")[2].lower() if "." in name else name
    return end if end in KNOWN else None
