"""Each example builds into a wheel that works beside stepscript, and passes its own tests."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.subjects import ROOT
from tests.wheels import built, environment, run

EXAMPLES = sorted(path.parent for path in Path(ROOT, "examples").glob("*/pyproject.toml"))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheels of all examples, and return the folder of programs."""
    folder = tmp_path_factory.mktemp("examples")
    wheels = []
    for example in EXAMPLES:
        shutil.copytree(example, folder / example.name)
        wheels.append(built(folder / example.name))
    return environment(folder / "environment", *wheels)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_own_tests_of_an_example_pass_with_its_wheel(example: Path, program: Path, tmp_path: Path) -> None:
    shutil.copytree(example / "tests", tmp_path / "tests")
    words = [str(program / "python"), "-I", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    clean = {"PATH": os.defpath, "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    done = subprocess.run(words, cwd=tmp_path, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_skill_with_a_node_and_a_role_of_its_own_passes_the_proof(program: Path, tmp_path: Path) -> None:
    ran = run(program, "validate", "claim_skills", cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout


def test_own_role_is_written_for_each_client(program: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    agents = [word for agent in ("claude", "codex", "opencode") for word in ("--agent", agent)]
    ran = run(program, "install", *agents, "--skill", "check-claims", "--yes", cwd=project)
    assert ran.returncode == 0, ran.stderr
    for file in (
        ".claude/agents/claim-checker.md",
        ".codex/agents/claim-checker.toml",
        ".opencode/agents/claim-checker.md",
    ):
        assert "without a source" in (project / file).read_text()


def test_format_of_its_own_prints_a_page(program: Path, tmp_path: Path) -> None:
    ran = run(program, "step", "problem-analysis", "1", "--format", "outline", cwd=tmp_path)
    assert ran.stdout.startswith("1. Gate the problem")
    assert "\n    run: " in ran.stdout or "\n  run: " in ran.stdout
