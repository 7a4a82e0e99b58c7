"""Growth of each reader's time if foreign text is eight times as long; a hostile sample reveals quadratic time."""

import contextlib
import gc
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Final, NamedTuple

from lib.workflow.app.output.screen import Screen
from lib.workflow.app.runs.views.summaries import glance
from lib.workflow.ast.nodes import Code, Document, Element, Text
from lib.workflow.ast.parse import parse
from lib.workflow.ast.parse.extract import extract
from lib.workflow.ast.parse.layout import bullets, framed
from lib.workflow.ast.prose import bullets as listed
from lib.workflow.ast.prose import item, labelled, section
from lib.workflow.ast.relay import NeedsUserInput
from lib.workflow.codec import codec
from lib.workflow.command.quoting import quote, split, split_template
from lib.workflow.errors import RefusedError, UsageError, WorkflowError
from lib.workflow.handlers.task_list import read_tasks
from lib.workflow.prompts.markdown import spans
from lib.workflow.prompts.slots import fill, slots_in
from lib.workflow.render.html import render_html
from lib.workflow.render.html_parts.svg import svg
from lib.workflow.render.json import parse_json, render_json
from lib.workflow.render.markdown import render_markdown
from lib.workflow.render.prose import render_prose
from lib.workflow.render.text import render_text
from lib.workflow.render.xml import render
from lib.workflow.run.clients.job import Job, Want, read_reply
from lib.workflow.run.conditions.reset_times import reset_time
from lib.workflow.run.conditions.signs import recognised
from lib.workflow.run.journal.journal import read
from lib.workflow.run.journal.projection import account_of
from lib.workflow.types import AgentRole
from lib.workflow.util.characters import broken, canonical, on_a_screen, printable, visible
from lib.workflow.util.paths import project_path
from lib.workflow.util.terminal import plain
from lib.workflow.util.wrapping import wrapped
from skills.conventions.timeless.languages import KNOWN
from skills.conventions.timeless.scan import findings
from skills.doc_sync.audit.anchors import anchors_of
from skills.doc_sync.audit.makefile import targets_of
from skills.doc_sync.audit.markdown import read_page
from skills.incoherence.commands.quotes import page_of, quoted_at
from skills.leon_writing_style.counting import report as report_of_tells
from skills.planner.diagrams.text import cells, columns, pieces, unmeasurable
from skills.planner.diffs.parse import parsed
from skills.planner.schema.context import Context

STEPS: Final = 8
"""The ratio of the larger text to the smaller."""
MOST: Final = 24.0
"""Highest ratio of their times: 8 if time grows with the length, 64 if it grows with its square."""
LARGEST: Final = 128_000
"""Characters of the smaller text. A reader that takes less than the shortest time for them passes."""
TRIES: Final = 4
"""Measurements before a ratio counts as too large: a busy machine makes some too large, none too small."""


class Sample(NamedTuple):
    """A text of any length: a repeated word between two others."""

    word: str
    before: str = ""
    after: str = ""
    least: int = 1_000
    """Fewest characters of the smaller text; more if other work hides a small quadratic part."""

    def text(self, size: int) -> str:
        """Return the text with that many characters of words."""
        return f"{self.before}{self.word * (size // len(self.word))}{self.after}"


class Scanner(NamedTuple):
    """A reader, and the texts that it is tried on."""

    read: Callable[[str], object]
    samples: tuple[Sample, ...]


def of(read: Callable[[str], object], *samples: str | Sample) -> Scanner:
    """Return a scanner. A sample that is a word has nothing around it."""
    return Scanner(read, tuple(each if isinstance(each, Sample) else Sample(each) for each in samples))


def _tree(text: str) -> Document:
    return Document([Element("x", {}, [Text(text)])])


def _prose(text: str) -> Document:
    return Document([section("t", labelled("a", text), listed(item(text))) or Element("x")])


def _journal(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "journal.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(text.replace("N", str(number)) for number, text in enumerate(text.splitlines(True)))
        account_of(read(path))


def _signs(text: str) -> None:
    recognised((text,), "x", datetime(2026, 11, 29, tzinfo=UTC))


def _reset(text: str) -> None:
    reset_time(text, datetime(2026, 11, 29, tzinfo=UTC))


def _reply(want: Want, text: str) -> None:
    read_reply(Job(key="a", role=AgentRole.DEVELOPER, prompt="x", want=want, ways=3, listed=(0, 1)), text)


def _names(text: str) -> None:
    """Read an object of many keys, of which the last is a duplicate."""
    keys = [f'"{number}": 1' for number in range(len(text) // 8)]
    codec(Context).loads("{" + ", ".join([*keys, keys[-1]]) + "}")


def _hunks(text: str) -> None:
    """Read as many hunks as lines of text."""
    numbers = (f"@@ -{2 * n + 1} +{2 * n + 1} @@\n-a\n+b\n" for n in range(text.count("\n")))
    parsed(f"{_DIFF}{''.join(numbers)}", "a.py")


def _ends_without_newline(text: str) -> None:
    """Read a hunk in which as many lines say that the newline is missing."""
    many = text.count("\n")
    removed, added = "-a\n" * many, "+a\n" * many
    parsed(f"{_DIFF}@@ -1,{many} +1,{many} @@\n{removed}{text}{added}", "a.py")


def _slots(text: str) -> None:
    nodes = [Text(text)]
    slots_in(nodes)
    fill(nodes, {"a": "b\nc"})


def _screen(text: str) -> None:
    with open(os.devnull, "w", encoding="utf-8") as stream:
        screen = Screen(stream)
        screen.width = 80
        screen.paragraph(text, 4)
        screen.error(text)


_DIFF: Final = "--- a/a.py\n+++ b/a.py\n"
_LANGUAGES: Final = ('"', "'", "`", '"""', "/*", "#", "# a\n", "// a\n", "--", "<!--", "a\n", "{-", 'R"(', "(?", "was ")
SCANNERS: Final[Mapping[str, Scanner]] = {
    "XML, parsed": of(
        parse, "<", "&", "<a>", "<a/>", "</a>", Sample("<b/>", "<current_action>"), '<a b="', "]]>", "a\n"
    ),
    "a block in a reply": of(partial(extract, cls=NeedsUserInput), "<", "`", "<!--", "<question>", "<a b='"),
    "XML, written": of(lambda text: render(_tree(text)), "]]>", "<", "a\n", "\n\n"),
    "plain text": of(lambda text: render_text(_tree(text)), "=> ", "a\n", "\u2028"),
    "Markdown": of(lambda text: render_markdown(_tree(text)), "`", "``a", "\u2028", "<a"),
    "Markdown, of code": of(lambda text: render_markdown(Document([Code(text=text)])), "`", "```\n", "a`"),
    "prose": of(
        lambda text: render_prose(_prose(text)), "=", "*", "`", "``a`", "_a", "\\", "[", "#", "1. a\n", "- a\n", "\n "
    ),
    "HTML": of(lambda text: render_html(_prose(text)), "a", "a1", "a-", "-a", "M-1", "`", "`a", "&"),
    "HTML, of a diff": of(lambda text: render_html(Document([Code(text=text, language="diff")])), "+a\n", "@@", "-"),
    "JSON of a tree": of(lambda text: parse_json(render_json(_tree(text))), "\\", '"', "a\n"),
    "JSON, read": of(partial(codec(Context).loads), "[", "{", '{"a":', '"', "\\", "1"),
    "JSON with a key twice": of(_names, "a"),
    "a drawing": of(lambda text: svg(text, "x"), "+-", "|", "a\n", "+--+\n|  |\n"),
    "a line, wrapped": of(lambda text: wrapped(text, 34), "a", "a ", "\t", "中", "a-", "\x85"),
    "a text on a terminal": of(_screen, "a", "a ", "a-", "\t", "\x1b"),
    "a command line": of(split, "a", "a ", "'", '"\\', "\\a", "''", "a'a'"),
    "a template of commands": of(split_template, "$A ", "a $A", "'$A' "),
    "a word, quoted": of(quote, "'", "]]>", "a"),
    "a list of agents": of(read_tasks, "- a: b\n", Sample("  b\n", "- a: b\n"), "- ", "\n", Sample("\n", "- a: b")),
    "an output with control sequences": of(plain, "\x1b", "\x1b[", "\x1b[0", "\x1b]", "\x9b", "\r", "é"),
    "the signs of a condition": of(_signs, "a", "hit your ", "the model ", "{", '{"error":', "\n", "resets "),
    "the end of a limit": of(_reset, "resets ", "try again in ", "1 d ", "resets_at", "1"),
    "a reply with a way": of(partial(_reply, Want.WAY), "*", "WAY: 1\n", "WAY:", " ", "`", "LIST:\n"),
    "a reply with a verdict": of(partial(_reply, Want.VERDICT), "*", "PASS\n", "FAIL", " "),
    "a page at a glance": of(glance, "<a>", "> a\n"),
    "bullets": of(bullets, Sample("- a\n", "\n"), Sample("  b\n", "\n- a\n", least=128_000), "\n"),
    "layout": of(framed, Sample("  a\n", "\n", "  "), "\n", Sample(" ", "\n")),
    "sections of a page": of(lambda text: list(spans(text.split("\n"))), "## a\n", "```\n", "~", "`a"),
    "slots": of(
        _slots, Sample("{{a}}", least=64_000), "{{a}} ", "{{a}}\n", "> {{a}} ", "   ", Sample(" ", "", "{{a}}")
    ),
    "characters": of(
        lambda text: (canonical(text, "x"), broken(text), printable(text), visible(text)), "\r", "\u2028", "\x7f"
    ),
    "a line for a terminal": of(on_a_screen, " ", "a\n", "\x1b"),
    "a journal": of(_journal, Sample('{"event": "attempt", "key": "N"}\n', least=100_000)),
    "a diff": of(
        lambda text: parsed(text, "a.py"),
        "a",
        "index a\n",
        Sample("\n", _DIFF),
        Sample("+a\n", f"{_DIFF}@@ -1 +1 @@\n"),
    ),
    "a diff of many hunks": of(_hunks, "a\n"),
    "a diff without newlines": of(_ends_without_newline, "\\ x\n"),
    "a path of a project": of(project_path, "a", "a/", "./", "../", "\\"),
    "a label of a diagram": of(
        lambda text: (list(pieces(text)), columns(text), unmeasurable(text), list(cells(text))),
        "a",
        "a ",
        "中",
        "a\u0301",
    ),
    "a page with links": of(
        read_page,
        "<",
        "[",
        "](",
        "![",
        "*",
        "_",
        "`",
        "\\",
        "> ",
        "- ",
        "a\n",
        "&",
        "[a]: b\n",
        "**a",
        Sample("<", "<div>\n"),
        Sample("<a id=", "<div>\n"),
        Sample('<a href="x">\n', "<div>\n"),
        Sample("|a", "|a|\n|-|\n"),
        "# a\n",
    ),
    "anchors": of(lambda text: anchors_of(text.split("\n")), "a\n", "a-1\n", "-"),
    "a Makefile": of(
        targets_of, "a:", "a=", "$(", "$(A)", Sample("$(A)", f"A = {'a' * 500}\n", ": b"), "a:\n", "include", " "
    ),
    "a quote in a file": of(lambda text: quoted_at(page_of(text), "a a … a … b"), "a ", "a\n", "a", "a b "),
    "the tells of a text": of(report_of_tells, "a", "a ", "a. ", "a\n", "- ", "#", "—", ", ", "not only ", '"a" '),
    **{f"comments in {name}": of(partial(findings, language=name), *_LANGUAGES) for name in sorted(KNOWN)[::12]},
    **{
        f"comments in {name}": of(partial(findings, language=name), *_LANGUAGES)
        for name in ("py", "md", "rst", "c", "sh")
    },
}


def growth(scanner: Scanner, sample: Sample, shortest: float) -> float:
    """Return the larger text's time divided by the smaller's, the least of a few tries; 1 if both are too short."""
    size = sample.least
    while (taken := _seconds(scanner.read, sample.text(size))) < shortest:
        if size >= LARGEST:
            return 1.0
        size *= 2
    ratio, larger = float("inf"), float("inf")
    for _ in range(TRIES):
        taken = min(taken, _seconds(scanner.read, sample.text(size)))
        larger = min(larger, _seconds(scanner.read, sample.text(STEPS * size)))
        ratio = larger / taken
        if ratio <= MOST:
            break
    return ratio


def _seconds(read: Callable[[str], object], text: str) -> float:
    """Return the seconds of this process alone. A text may be refused.

    The garbage collector is off, because it would run at any moment.
    """
    collects = gc.isenabled()
    gc.disable()
    begun = time.process_time()
    with contextlib.suppress(ValueError, RecursionError, RefusedError, UsageError, WorkflowError):
        read(text)
    taken = time.process_time() - begun
    if collects:
        gc.enable()
    return taken


def steep(shortest: float, names: Iterable[str] = SCANNERS) -> dict[str, float]:
    """Return the readers and samples whose time grows faster than the text, each with its ratio."""
    found: dict[str, float] = {}
    for name in names:
        for sample in SCANNERS[name].samples:
            ratio = growth(SCANNERS[name], sample, shortest)
            if ratio > MOST:
                found[f"{name}, {sample!r:.60}"] = ratio
    return found


def main() -> bool:
    """Print the steepest growth of each reader and return True if all grow with the text."""
    print(f"\nReaders of foreign text: time for {STEPS} times the text, at most {MOST:g} times\n")
    met = True
    for name, scanner in SCANNERS.items():
        worst, sample = max((growth(scanner, sample, 0.02), sample) for sample in scanner.samples)
        met = met and worst <= MOST
        print(f"{name:32} {worst:6.2f}x  {'' if worst <= MOST else f'MISSED by {sample!r:.60}'}".rstrip())
    return met
