"""`python -m tests.run.transcript PAGE`: write a real session with a fake client into a page, in `make docs`.

The commands run in a terminal, in a project and a home folder of their own. Names, times and paths, which differ each
time, are replaced by fixed ones.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from lib.workflow.app.docs.picture import in_terminal
from lib.workflow.command.quoting import join
from tests.run.recorded_outputs import recorded
from tests.run.test_envelope import envelope

BEGIN: Final = "<!-- not run: `make docs` runs it with a fake client and writes it here -->"
END: Final = "<!-- end of session -->"
SESSION: Final = (
    'stepscript run problem-analysis "The import hangs at noon" --max-cost 0.75',
    "stepscript status",
    "stepscript answer 1",
    "stepscript answer 1",
    "stepscript status",
    "stepscript runs --all",
)
WIDTH: Final = 110
PLACE: Final = "/tmp"
"""Folder whose path has the same length everywhere, because lines are wrapped."""
ESTIMATED: Final = 480
"""Estimated tokens of the session: the real number depends on the length of paths."""
FAKE: Final = Path(__file__).parent / "fake_client.py"
STEPSCRIPT: Final = os.path.join(os.path.dirname(sys.executable), "stepscript")
_FIXED: Final = (
    (re.compile(r"\b\d{4}-[0-9a-f]{4}\b(?!-)"), "0129-7e57"),
    (re.compile(r"\b\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?"), "2026-01-29 12:00"),
    (re.compile(r"^( +)\d:\d\d  ", re.MULTILINE), r"\g<1>0:01  "),
    (re.compile(r"elapsed: \d+:\d\d"), "elapsed: 0:01"),
)

_TOKENS: Final = re.compile(r"about \d+ tokens \((\d+) reported, \d+")


def session() -> str:
    """Return the commands with what they print."""
    with tempfile.TemporaryDirectory(prefix="session-", dir=PLACE) as folder:
        home = os.path.realpath(folder)
        project = os.path.join(home, "project")
        os.makedirs(os.path.join(project, ".git"))
        environment = _client(home)
        parts = [f"$ {line}\n{_printed(line, project, environment)}" for line in SESSION]
    text = "\n\n".join(parts).replace(home, "/home/you").replace(sys.executable, "python3")
    for pattern, fixed in _FIXED:
        text = pattern.sub(fixed, text)
    return _TOKENS.sub(
        lambda found: f"about {int(found[1]) + ESTIMATED} tokens ({found[1]} reported, {ESTIMATED}", text
    )


def with_session(page: str, said: str) -> str:
    """Return the page with the session between its two marks. Raises ValueError for a page without them."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the page has no session; write {BEGIN} and {END} where it belongs")
    return f"{before}{BEGIN}\n```console\n{said}\n```\n\n{END}{after}"


def _client(home: str) -> Mapping[str, str]:
    """Put a fake of Claude Code on the path: it answers, is logged out once, and answers again."""
    fake = Path(home, "bin", "claude")
    fake.parent.mkdir()
    login = next(each for each in recorded() if (each.client, each.name) == ("claude", "no-login"))
    answer = {"do": "say", "out": envelope("Done.\nWAY: 1", total_cost_usd=0.25), "errors": "", "status": 0}
    refused = {"do": "say", "out": login.out, "errors": login.errors, "status": login.status}
    Path(f"{fake}.plan").write_text(json.dumps([answer, refused, answer]))
    fake.write_text(f'#!/bin/sh\nexec {join((sys.executable, "-IS", str(FAKE), str(fake)))} "$@"\n')
    fake.chmod(0o700)
    return {
        "PATH": f"{fake.parent}{os.pathsep}/usr/bin{os.pathsep}/bin",
        "HOME": home,
        "LC_ALL": "C.UTF-8",
        "TERM": "xterm-256color",
        "NO_COLOR": "1",
        "COLUMNS": str(WIDTH),
    }


def _printed(line: str, project: str, environment: Mapping[str, str]) -> str:
    """Return what a command prints in a terminal."""
    words = subprocess.run(["sh", "-c", f"printf '%s\\n' {line}"], capture_output=True, text=True, check=True)
    command = (sys.executable, STEPSCRIPT, *words.stdout.splitlines()[1:])
    text = in_terminal(command, environment, cwd=project)
    return "\n".join(part.rstrip() for part in text.rstrip().split("\n"))


def main(argv: Sequence[str] | None = None) -> int:
    """Write the session into the page given by path."""
    (path,) = sys.argv[1:] if argv is None else argv
    page = Path(path)
    page.write_text(with_session(page.read_text(encoding="utf-8"), session()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
