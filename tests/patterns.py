"""Every regular expression of the sources, found by reading them, and texts that reveal slow ones."""

import ast
import importlib
import re
import re._constants as kinds  # type: ignore[import-not-found]  # of the standard library, and without types
import re._parser as sre  # type: ignore[import-not-found]  # the same
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import chain, product
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from lib.workflow.run.conditions.signs import SIGNS
from lib.workflow.run.journal.move import _finder
from lib.workflow.run.temporal.apart import spelling
from skills.conventions.timeless import comments, languages
from skills.leon_writing_style.tells import read_tells
from tests.subjects import ROOT

SOURCES: Final = ("lib", "skills", "stepscript")
Pattern: TypeAlias = re.Pattern[str] | re.Pattern[bytes]
ANCHORED: Final = frozenset({"match", "fullmatch"})
"""The methods that try one place; all others try each place of a text."""
USE: Final = re.compile(r"\bre\.")
ATTRIBUTE: Final = re.compile(r"\b(\w+)(?=\.(\w+))")
"""A name, and the attribute that is asked of it."""
CATEGORIES: Final = {
    kinds.CATEGORY_DIGIT: "1",
    kinds.CATEGORY_WORD: "a",
    kinds.CATEGORY_SPACE: " ",
    kinds.CATEGORY_NOT_SPACE: "a",
    kinds.CATEGORY_NOT_WORD: "-",
    kinds.CATEGORY_NOT_DIGIT: "a",
}
"""A character of each."""


class Used(NamedTuple):
    """A pattern, its place, and the methods that use it."""

    place: str
    pattern: Pattern
    methods: frozenset[str]


def _of_comments() -> Iterator[Pattern]:
    every = dict.fromkeys(languages.LANGUAGES.values())
    texts = dict.fromkeys(text for language in every for text in language.texts if text.end)
    return chain((comments._marks(each)[0] for each in every), map(comments._inside, texts))


def _of_tells() -> Iterator[Pattern]:
    return (tell.pattern for tell in read_tells() if tell.pattern)


MADE: Final[Mapping[str, Callable[[], Iterator[Pattern]]]] = {
    "skills.conventions.timeless.comments": _of_comments,
    "skills.leon_writing_style.tells": _of_tells,
    "lib.workflow.run.conditions.signs": lambda: (pattern for _, pattern in SIGNS),
    "lib.workflow.run.journal.move": lambda: iter((_finder("python -I", ("/a/run", "/a b")),)),
    "lib.workflow.run.temporal.apart.spelling": lambda: iter((spelling._pattern({"/a/run": "", "/a b": ""}),)),
    # a word of a plan, unchanged
    "skills.planner.agents.elements": lambda: iter(()),
    # refused if they repeat without bound
    "skills.conventions.timeless.wording": lambda: iter(()),
    # compared with one path of our own
    "lib.workflow.app.install.manifest": lambda: iter(()),
    # one character
    "lib.workflow.util.characters": lambda: iter(()),
}
"""The patterns that a module makes at run time, by module; none if there is nothing to try."""


@cache
def _sources() -> Mapping[str, str]:
    paths = [path for name in SOURCES for path in sorted(Path(ROOT, name).rglob("*.py"))]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path.read_text("utf-8") for path in paths}


@cache
def _methods() -> Mapping[str, set[str]]:
    """Return the attributes that any source asks of each name."""
    methods: dict[str, set[str]] = {}
    for name, method in chain.from_iterable(map(ATTRIBUTE.findall, _sources().values())):
        methods.setdefault(name, set()).add(method)
    return methods


def using() -> tuple[str, ...]:
    """Return the modules that use regular expressions."""
    return tuple(module for module, source in _sources().items() if USE.search(source))


def used(module: str) -> tuple[Used, ...]:
    """Return every pattern of a module. Raises KeyError if it has run-time patterns that MADE lacks."""
    return tuple(dict.fromkeys(_of_module(module, ast.parse(_sources()[module]), _methods())))


def texts(pattern: Pattern, size: int) -> Iterator[str]:
    """Yield texts of that many characters, repeated parts of a match, with and without its end."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode()
    parts = _Parts()
    parts.sample(sre.parse(text, pattern.flags & ~re.DEBUG), "")
    chars = list(dict.fromkeys((*parts.chars, *"a \n")))
    words = dict.fromkeys((*filter(None, parts.words), *chars, *map("".join, product(chars[:8], repeat=2))))
    repeated = [("", word) for word in words] + [pair for pair in dict.fromkeys(parts.bodies) if pair[1]]
    for before, word in repeated:
        whole = before + word * (size // len(word))
        yield from (whole, f"{whole}\0", f"{whole}\n\0")


def _of_module(module: str, tree: ast.Module, methods: Mapping[str, set[str]]) -> Iterator[Used]:
    """Yield the patterns of one module, in the order of its calls of `re`."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_re(node.func)]
    chained = {id(node.value): node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    names = {
        id(node.value): ast.unparse(target)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    }
    for call in calls:
        assert isinstance(call.func, ast.Attribute)  # `_is_re`
        said = {call.func.attr} - {"compile"} or {chained[id(call)]} if id(call) in chained else {call.func.attr}
        if said == {"compile"}:
            said = methods.get(names.get(id(call), ""), set())
        pattern = _compiled(call, vars(importlib.import_module(module.removesuffix(".__init__"))))
        patterns = [pattern] if pattern is not None else [*MADE[module]()]
        yield from (Used(f"{module}:{call.lineno}", each, frozenset(said)) for each in patterns)


def _is_re(function: ast.expr) -> bool:
    match function:
        case ast.Attribute(value=ast.Name(id="re"), attr=name):
            return name != "escape"
        case _:
            return False


def _compiled(call: ast.Call, names: dict[str, object]) -> Pattern | None:
    """Return the pattern that a call of `re` names; None if it depends on more than the module's constants."""
    flags = [word.value for word in call.keywords if word.arg == "flags"]
    flags = flags or [each for each in call.args[1:] if "re." in ast.unparse(each)]
    try:
        pattern, *given = (
            eval(compile(ast.Expression(each), "", "eval"), names) for each in (*call.args[:1], *flags[:1])
        )
    except NameError:
        return None
    made: Pattern = re.compile(pattern, *given)
    return made


class _Parts:
    """The parts of a pattern: the beginnings of a match, the repeated parts with their prefixes, its characters."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.bodies: list[tuple[str, str]] = []
        self.chars: list[str] = []

    def sample(self, tree: "sre.SubPattern", before: str) -> str:
        """Return a short text that the tree matches, after a prefix."""
        text = ""
        for kind, value in tree:
            text += self._one(kind, value, before + text)
            self.words.append(before + text)
        return text

    def _one(self, kind: object, value: "sre.Any", before: str) -> str:
        if kind in (kinds.LITERAL, kinds.NOT_LITERAL, kinds.ANY, kinds.IN):
            held = _characters(kind, value)
            self.chars += held
            return held[0]
        if kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT, kinds.POSSESSIVE_REPEAT):
            body = self.sample(value[2], before)
            self.bodies.append((before, body))
            return body * max(int(value[0]), 1)
        if kind is kinds.BRANCH:
            ways = [self.sample(way, before) for way in value[1]]
            return ways[0]
        if kind in (kinds.SUBPATTERN, kinds.ATOMIC_GROUP):
            return self.sample(value[3] if kind is kinds.SUBPATTERN else value, before)
        if kind in (kinds.ASSERT, kinds.ASSERT_NOT):
            self.sample(value[1], before)
        return ""


def _characters(kind: object, value: "sre.Any") -> list[str]:
    """Return the characters that a part names, after one that it matches."""
    if kind is kinds.LITERAL:
        return [chr(value)]
    if kind is kinds.ANY:
        return ["a"]
    items = [(kinds.NEGATE, None), (kinds.LITERAL, value)] if kind is kinds.NOT_LITERAL else value
    held = [
        CATEGORIES[what] if item is kinds.CATEGORY else chr(what[0] if item is kinds.RANGE else what)
        for item, what in items
        if item is not kinds.NEGATE
    ]
    negated = items[0][0] is kinds.NEGATE
    return [next(char for char in "a1 -<\"'\n`" if char not in held), *held] if negated else held
