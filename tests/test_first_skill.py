"""`docs/first-skill.md` is true: its commands are run in order, its files written unchanged."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.subjects import ROOT

PAGE = Path(ROOT, "docs", "first-skill.md").read_text(encoding="utf-8")
PIECES = re.findall(
    r"`(?P<file>skills/[\w/]+\.\w+)`[^`]*?(?:`\{\{ \}\}`[^`]*?)?(?:`slots`[^`]*?)?```\w+\n(?P<text>.*?)```"
    r"|```console\n\$ (?P<command>.*?)\n(?P<shown>.*?)```",
    PAGE,
    re.DOTALL,
)
"""Files and commands, in the order of the page."""


def project(folder: Path) -> dict[str, str]:
    """Make a project, and return the environment of a user who has stepscript, as the page requires."""
    (folder / ".git").mkdir(parents=True)
    path = f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"
    own = {"HOME": str(folder.parent), "XDG_STATE_HOME": str(folder.parent / "state")}
    return {**os.environ, **own, "PATH": path, "NO_COLOR": "1"}


def test_the_page_leads_from_nothing_to_a_proved_skill(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    environment = project(folder)
    ran = []
    for file, text, command, shown in PIECES:
        if file:
            (folder / file).write_text(text)
            continue
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            env=environment,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        pattern = re.escape(shown).replace(re.escape("[...]\n"), "(?:.*\n)*")
        assert re.fullmatch(pattern, done.stdout), done.stdout
        ran.append(command.split()[1])
    assert ran == ["new", "walk", "trust", "show", "step", "validate", "rehearse", "install", "-c", "new"]
    written = {path.name for path in (folder / "skills" / "tidy_up").glob("*.*")}
    assert written >= {"workflow.py", "prompts.md", "check.py", "checker.py", "run.py", "SKILL.md"}
