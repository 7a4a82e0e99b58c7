"""`docs/first-skill.md` is true: its commands are run in order, its files written unchanged."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.subjects import ROOT

PAGE = Path(ROOT, "docs", "first-skill.md").read_text(encoding="utf-8")
PIECES = re.findall(
    r"`(?P<file>my_skills/[\w/]+\.\w+)`[^`]*?(?:`\{\{ \}\}`[^`]*?)?(?:`slots`[^`]*?)?```\w+\n(?P<text>.*?)```"
    r"|```console\n\$ (?P<command>.*?)\n(?P<shown>.*?)```",
    PAGE,
    re.DOTALL,
)
"""Files and commands, in the order of the page."""


def project(folder: Path) -> dict[str, str]:
    """Return the environment of a user with an installed package, as the page requires."""
    (folder / "my_skills").mkdir()
    (folder / "my_skills" / "__init__.py").touch()
    installed = folder / "my_project-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: my-project\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text("[stepscript.skills]\nmy-project = my_skills\n")
    path = f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(folder), "NO_COLOR": "1"}


def test_the_page_leads_from_nothing_to_a_proved_skill(tmp_path: Path) -> None:
    environment = project(tmp_path)
    ran = []
    for file, text, command, shown in PIECES:
        if file:
            (tmp_path / file).write_text(text)
            continue
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            env=environment,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        pattern = re.escape(shown).replace(re.escape("[...]\n"), "(?:.*\n)*")
        assert re.fullmatch(pattern, done.stdout), done.stdout
        ran.append(command.split()[1])
    assert ran == ["new", "walk", "show", "step", "validate"]
    written = {path.name for path in (tmp_path / "my_skills" / "tidy_up").glob("*.*")}
    assert written >= {"workflow.py", "prompts.md", "check.py", "checker.py", "run.py", "SKILL.md"}
