"""A new user follows the pages literally: install, the README's commands, the first skill, uninstall."""

import re
from pathlib import Path

import pytest

from tests.first_skill import follow
from tests.subjects import ROOT
from tests.test_readme import BLOCKS
from tests.wheel_users import TOOLS, User, install, wheel_of_ours

INSTALL = Path(ROOT, "docs", "install.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_of_ours(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(params=TOOLS)
def user(request: pytest.FixtureRequest, wheel: Path, tmp_path: Path) -> User:
    made = User(tmp_path)
    install(str(request.param), wheel, made)
    return made


def test_the_pages_of_the_first_hour_lead_from_an_empty_home_and_back(user: User) -> None:
    before = user.files()
    (line,) = re.findall(r"^    (stepscript install) +# in the project", INSTALL, re.MULTILINE)
    done = user.run(line, answer="y\n")
    assert done.returncode == 0, done.stdout + done.stderr
    for command, _ in BLOCKS:
        assert user.run(command).returncode == 0, command
    first = "sh -c \"$(grep -- '--step 1$' .claude/skills/problem-analysis/SKILL.md)\""
    assert user.run(first).stdout.startswith("<step_header ")
    assert user.run("stepscript doctor").returncode == 0, user.run("stepscript doctor").stdout
    done = user.run("stepscript uninstall")
    assert done.returncode == 0, done.stdout
    assert user.files() == before


def test_the_first_skill_works_in_an_installed_copy(user: User) -> None:
    follow(user.project, dict(user.environment))
