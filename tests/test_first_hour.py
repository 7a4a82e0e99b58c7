"""A new user follows the pages literally: install, the README, the first skill, uninstall."""

import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.documents import Block, blocks, follow
from tests.pythons import OURS, pythons
from tests.wheel_users import LEFT_OVER, TOOLS, User, type_block, wheel_of_ours

pytestmark = pytest.mark.long
FIRST_STEP = "sh -c \"$(grep -- '--step 1$' .claude/skills/problem-analysis/SKILL.md)\""
"""Runs the command of an installed skill, as a client does."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_of_ours(tmp_path_factory.mktemp("wheel"))


def spent() -> float:
    """Return the seconds that the processor has worked for processes that have ended."""
    return os.times().children_user + os.times().children_system


def typed(page: str, tool: str, part: str) -> Iterator[Block]:
    """Yield the blocks that a user of this tool types: those that install, or those that remove."""
    of_tool = [block for block in blocks(page) if block.marks.get("user") in (tool, "any")]
    (last,) = [number for number, block in enumerate(of_tool) if block.text == "stepscript uninstall\n"]
    yield from of_tool[:last] if part == "install" else of_tool[last:]


ENDS = (next(iter(pythons())), next(reversed(pythons())))
"""The oldest and the newest Python."""
USERS = [
    pytest.param(tool, python, marks=() if tool == "pip" and python in ENDS else pytest.mark.thorough)
    for tool, python in product(TOOLS, pythons())
    if python != OURS
]
"""Each tool with each other Python than ours; all but pip with the oldest and the newest are for `make thorough`."""
READERS = [
    pytest.param(tool, python, marks=() if python == OURS else pytest.mark.thorough)
    for tool, python in product(TOOLS, pythons())
]
"""Each tool with each Python; those with another Python than ours are for `make thorough`."""


def test_a_wheel_has_the_licence_and_nothing_of_earlier_builds(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert not any(LEFT_OVER.endswith(name) for name in names)


@pytest.mark.parametrize(("tool", "python"), USERS)
def test_installation_starts_a_skill_and_its_removal_leaves_nothing(
    tool: str, python: str, wheel: Path, tmp_path: Path
) -> None:
    user = User(tmp_path, tool, pythons()[python])
    before = user.files()
    for block in typed("docs/install.md", tool, "install"):
        type_block(block, user, wheel)
    assert user.run(FIRST_STEP).stdout.startswith("<step_header ")
    assert user.run("stepscript doctor").returncode == 0, user.run("stepscript doctor").stdout
    for block in typed("docs/install.md", tool, "remove"):
        type_block(block, user, wheel)
    assert user.files() == before
    assert user.programs_left() == []


@pytest.mark.parametrize(("tool", "python"), READERS)
def test_the_pages_lead_from_an_empty_home_to_a_first_skill_and_back(
    tool: str, python: str, wheel: Path, tmp_path: Path
) -> None:
    user = User(tmp_path, tool, pythons()[python])
    before, began = user.files(), spent()
    for block in typed("docs/install.md", tool, "install"):
        type_block(block, user, wheel)
    assert user.run(FIRST_STEP).stdout.startswith("<step_header ")
    assert spent() - began < 60  # a minute at most, on a processor that nothing else uses
    follow("README.md", user)
    assert user.run("stepscript doctor").returncode == 0, user.run("stepscript doctor").stdout
    for block in typed("docs/install.md", tool, "remove"):
        if block.text == "stepscript uninstall\n":
            type_block(block, user, wheel)
            assert user.files() == before
            follow("docs/first-skill.md", user)
        type_block(block, user, wheel)
    left = {Path(name) for name in user.files().keys() - before.keys()}
    own = {Path("../project", folder) for folder in ("skills/tidy_up", ".stepscript")}  # the user's skill, and consent
    assert {path.parent for path in left} == own
    assert user.programs_left() == []


@pytest.mark.parametrize("block", [block for block in blocks("README.md") if "user" in block.marks])
def test_lines_on_the_first_screen_work(block: Block, wheel: Path, tmp_path: Path) -> None:
    user = User(tmp_path, block.marks["user"])
    type_block(block, user, wheel)
