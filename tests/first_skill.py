"""`docs/first-skill.md`: its commands run in order, its files written unchanged (see `test_first_hour.py`)."""

import re
import subprocess
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


def follow(folder: Path, environment: dict[str, str]) -> None:
    """Write the files and run the commands of the page, in order, in a project."""
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
