"""Every written skill, in a project and in a plugin, is valid by the reference of the open format."""

import subprocess
import sys
from pathlib import Path

from tests.clients.installed import NAMES, skill_files

CHECK = """
import pathlib, sys, skills_ref
for path in sys.argv[1:]:
    for problem in skills_ref.validate(pathlib.Path(path)):
        print(path, problem)
"""


def test_agent_skills_validator_reports_nothing(project: Path, plugin: Path) -> None:
    folders = (project / ".claude" / "skills", project / ".agents" / "skills", plugin / "skills")
    found = [str(file.parent) for folder in folders for file in skill_files(folder)]
    assert len(found) == 3 * len(NAMES)
    output = subprocess.run([sys.executable, "-c", CHECK, *found], capture_output=True, text=True, check=True)
    assert output.stdout == ""
