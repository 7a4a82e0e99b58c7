"""A simulated agent of incoherence in a run as large as those of real agents, with texts as long as theirs."""

from itertools import islice
from typing import Final

from lib.workflow.command import Command
from lib.workflow.testing.reader import Page, Run, option
from skills.incoherence.record import Run as Record
from skills.incoherence.rehearsal import Finder
from skills.incoherence.standing import Progress, Standing

DIMENSIONS: Final = ("docs-code", "examples", "defaults", "comments", "lists")
SOURCES: Final = 12
FOUND: Final = 4
MORE: Final = 3
DIVES: Final = 12
GROUPS: Final = (2, 2, 2, 1, 1, 1, 1, 1)
"""Candidates of each question: 11 contradictions in 8 questions."""
TASKS: Final = 4
"""Tasks of the first wave; the second has one."""
WORDS: Final = "the value of the flag as it is read at line twelve of that file and printed by the helper "


def text(beginning: str, length: int) -> str:
    """Return a text of that length, without a blank at its end."""
    return f"{beginning} {WORDS * (length // len(WORDS) + 1)}"[:length].rstrip()


class Searcher(Finder):
    """A simulated agent that sweeps five dimensions, looks into twelve candidates, and fixes eleven contradictions."""

    def __init__(self) -> None:
        super().__init__()
        self.mine: list[str] = []

    def work(self, page: Page) -> None:
        """Note the dimensions or candidates of the agent whose page it is."""
        flag = next((each for each in ("--dimensions", "--candidates") if each in page.command.words), None)
        self.mine = option(page.command, flag).split(",") if flag else []
        super().work(page)

    def survey(self, run: Record | None, command: Command) -> object:
        sources = [{"id": f"S{n}", "kind": "code", "path": f"src/parts/part{n}.py"} for n in range(SOURCES)]
        return {"scope": text("what users read", 120), "depth": "full", "sources": sources}

    def dimensions(self, run: Record, command: Command) -> object:
        return [{"dimension": name, "sources": [each.id for each in run.sources]} for name in DIMENSIONS]

    def format(self, run: Record, command: Command) -> object:
        return [
            {
                "dimension": name,
                "searched": text("README.md whole", 210),
                "found": [_pair(name, n) for n in range(FOUND)],
                "more": [_pair(name, n) for n in range(FOUND, FOUND + MORE)],
            }
            for name in self.mine
        ]

    def select(self, run: Record, command: Command) -> object:
        waiting = enumerate(run.of(Standing.FOUND))
        return [{"candidate": each.id, "dive": n < DIVES, "why": text("users", 50)} for n, each in waiting]

    def report(self, run: Record, command: Command) -> object:
        return [{"candidate": name, "evidence": text("4.5 MB gives 413", 235)} for name in self.mine]

    def verdicts(self, run: Record, command: Command) -> object:
        verdicts = ["incoherent"] * sum(GROUPS) + ["coherent"]
        waiting = zip(run.to_judge(), verdicts, strict=True)
        return [{"candidate": each.id, "verdict": verdict, "reason": text("413", 80)} for each, verdict in waiting]

    def pose(self, run: Record, command: Command) -> object:
        waiting = (each.id for each in run.to_pose())
        return [
            {
                "candidates": list(islice(waiting, size)),
                "header": f"Header {n}",
                "text": text(f"Question {n}?", 330),
                "options": [text(f"{n}{way}", 55) for way in "abc"],
            }
            for n, size in enumerate(GROUPS)
        ]

    def settle(self, run: Record, command: Command) -> object:
        files = [[f"src/parts/part{n}.py", f"tests/parts/test_{n}.py", "README.md"] for n in range(len(GROUPS))]
        answered = zip(run.to_settle(), files, strict=True)
        return [{"question": each.id, "rule": text("rule", 155), "files": names} for each, names in answered]

    def plan(self, run: Record, command: Command) -> object:
        rules = run.to_change()
        shares = [rules[n::TASKS] for n in range(TASKS)]
        code = [(share, [name for each in share for name in each.files[:-1]]) for share in shares]
        tasks = [(1, share, files) for share, files in code] + [(2, rules, [rules[0].files[-1]])]
        return [{"wave": wave, "questions": [q.id for q in share], "files": files} for wave, share, files in tasks]

    def apply(self, run: Record, command: Command) -> object:
        return text("part.py:12 says so", 210)

    def collect(self, run: Record, command: Command) -> object:
        """Return checks, of which the very first fails."""
        self.checked += 1
        delivered = enumerate(run.tasks_of(Progress.DELIVERED, run.wave()))
        return [
            {"task": each.id, "good": n > 0 or self.checked > 1, "why": text("README.md:60", 90)}
            for n, each in delivered
        ]


def _pair(name: str, number: int) -> object:
    left, right = (text(f"{name} {side} {number}", 50) for side in ("left", "right"))
    places = {"left": f"README.md:{number + 1}1", "right": f"src/parts/part{number}.py:{number + 1}0"}
    return {"fact": text(f"What does {name} {number} return?", 60), **places, "left_says": left, "right_says": right}


def mind(run: Run) -> Searcher:
    """Return the simulated agents of a large run."""
    return Searcher()
