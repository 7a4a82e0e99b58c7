"""Defaults of `stepscript run` in files: of the project, which names no program, and of the user."""

import re
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.app.runs.found_runs import find
from lib.workflow.app.settings import MAX_SIZE, Models, Settings, settings, user_file
from lib.workflow.run.journal.status import standing

Captured = pytest.CaptureFixture[str]
FILES = pytest.mark.parametrize("name", ["stepscript.toml", "pyproject.toml"])


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project's folder; the work happens in a folder inside it."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / "inner").mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(folder / "inner")
    return folder


def write(project: Path, name: str, text: str) -> None:
    (project / name).write_text(f"[tool.stepscript]\n{text}" if name == "pyproject.toml" else text)


def write_own(text: str) -> None:
    path = user_file()
    assert path
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)


@FILES
def test_settings_are_read_from_the_root_of_the_project(name: str, project: Path) -> None:
    assert settings() == Settings()
    write(
        project, name, 'agents = ["codex,claude", "developer=gemini:pro"]\nmax-parallel = 3\nmodels = {strong = "o-9"}'
    )
    assert settings() == Settings(
        agents=("codex,claude", "developer=gemini:pro"), max_parallel=3, models=Models(strong="o-9")
    )


def test_one_text_is_a_list_of_one(project: Path) -> None:
    write(project, "stepscript.toml", 'agents = "codex"')
    assert settings().agents == ("codex",)


def test_pyproject_of_other_tools_has_no_settings(project: Path) -> None:
    (project / "pyproject.toml").write_text('tool = "x"')
    assert settings() == Settings()
    (project / "pyproject.toml").write_text("[tool.ruff]\nline-length = 1")
    assert settings() == Settings()


PROGRAMS = [
    "./evil.sh",
    "sh -c id",
    "claude --unrestricted",
    "claude -p x",
    "codex,./evil.sh",
    "developer=./evil.sh",
    "/usr/bin/claude",
    "CLAUDE",
    "rehearsal",
    "",
]


@FILES
@pytest.mark.parametrize("program", PROGRAMS)
def test_project_names_no_program(name: str, program: str, project: Path, capsys: Captured) -> None:
    write(project, name, f"agents = ['{program}']")
    assert main(["run", "problem-analysis", "x"]) != 0
    said = " ".join(capsys.readouterr().err.split())
    assert name in said
    assert not (project / ".stepscript").exists()


@pytest.mark.parametrize("program", [each for each in PROGRAMS if each not in ("", "codex,./evil.sh")])
def test_user_names_any_program(program: str) -> None:
    write_own(f"agents = ['{program}']")
    assert settings().agents == (program,)


@FILES
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("max-paralel = 3", "'max-paralel'"),
        ("max_parallel = 3", "'max_parallel'"),
        ("max-parallel = 0", "max-parallel"),
        ("max-parallel = 65", "64"),
        ("max-parallel = true", "max-parallel"),
        ("max-minutes = 1.5", "max-minutes"),
        ("max-agents = 1979-05-27", "max-agents"),
        ("agents = 3", "agents"),
        ("agents = [3]", "agents[0]"),
        ('agents = ["codex", "claude"]', "codex,claude"),
        ('agents = ["nobody=codex"]', "nobody"),
        ('agents = ["developer=codex", "developer=claude"]', "'developer=claude':"),
        ('agents = ["codex:;id"]', "';id'"),
        ('models = {large = "x"}', "large"),
        ('models = {fast = "--help"}', "--help"),
        ('models = {fast = "$(id)"}', "$(id)"),
        ("max-cost = 'x'", "max-cost"),
        ("max-cost = true", "max-cost"),
        ("max-cost = nan", "max-cost"),
        ("max-cost = 0", "max-cost"),
        ("max-cents = 5", "max-cost"),
        ("max-tokens = 0", "max-tokens"),
        ("prices = 3", "prices"),
        ("prices = {codex = -1}", "prices.codex"),
        ("prices = {'a b' = 1}", "prices"),
        ("prices = {codex = 1}", "prices"),
        ("pass-env = ['AWS_*']", "pass-env"),
        ("pass-env = ['*']", "pass-env"),
        ("max-agents = 1\nmax-agents = 2", "TOML"),
        ("[", "TOML"),
        (f"x = {'[' * 50_000}", "TOML"),
        ("x = '\\xff'", "x"),
    ],
)
def test_faults_name_file_key_and_what_is_legal(name: str, text: str, says: str, project: Path) -> None:
    write(project, name, text)
    with pytest.raises(ValueError, match=re.escape(name)) as caught:
        settings()
    assert says in str(caught.value)


def test_files_are_read_within_bounds(project: Path) -> None:
    file = project / "stepscript.toml"
    file.write_text("#" * (MAX_SIZE + 1))
    with pytest.raises(ValueError, match=str(file)):
        settings()
    file.write_bytes(b"\xff")
    with pytest.raises(ValueError, match="TOML"):
        settings()
    file.unlink()
    file.symlink_to("/dev/zero")
    with pytest.raises(ValueError, match=file.name):
        settings()


def test_project_has_one_place_for_settings(project: Path) -> None:
    write(project, "stepscript.toml", "max-agents = 1")
    write(project, "pyproject.toml", "max-agents = 1")
    with pytest.raises(ValueError, match=r"\[tool.stepscript\]"):
        settings()


def ceilings(number: int) -> str:
    return f"max-agents = {number}\nmax-minutes = {number}\nmax-tokens = {number}\nmax-cost = {number}.0"


def test_prices_and_passed_variables_are_those_of_the_user(project: Path) -> None:
    write_own("prices = {codex = 2.5, gemini = 1}\npass-env = ['NPM_TOKEN', 'AWS_*']\nmax-cost = 0.001")
    found = settings()
    assert (found.prices, found.pass_env) == (("codex=2.500000", "gemini=1.000000"), ("NPM_TOKEN", "AWS_*"))
    assert found.max_cents == 1


@pytest.mark.parametrize(
    ("agent", "prices", "status"),
    [("sh -c 'exit 1'", "", 2), ("sh -c 'exit 1'", "sh = 1", 3), ("claude,codex", "", 2), ("developer=codex", "", 2)],
)
def test_ceiling_of_cost_needs_the_price_of_each_client(
    agent: str, prices: str, status: int, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_own(f"[prices]\n{prices}")
    monkeypatch.setattr("lib.workflow.run.clients.presets.which", lambda name: name)
    run = ["run", "problem-analysis", "x", "--attempts", "1", "--agent", agent, "--max-cost", "2.50"]
    assert main(run) == status
    if status == 3:
        assert standing(find(None)).spec.max_cents == 250


@pytest.mark.parametrize(("own", "of_project", "counts"), [(5, 9, 5), (9, 5, 5), (None, 5, 5), (5, None, 5)])
def test_project_only_lowers_ceilings_of_the_user(
    own: int | None, of_project: int | None, counts: int, project: Path
) -> None:
    if own:
        write_own(f"{ceilings(own)}\nmax-parallel = 2")
    if of_project:
        write(project, "stepscript.toml", ceilings(of_project))
    found = settings()
    assert (found.max_agents, found.max_minutes, found.max_tokens, found.max_cents) == (*[counts] * 3, counts * 100)
    assert found.max_parallel == (2 if own else 0)


def test_options_replace_the_settings_of_a_run(project: Path) -> None:
    write(project, "stepscript.toml", "max-agents = 1\nmax-minutes = 7\nmax-parallel = 2")
    write_own("agents = [\"sh -c 'exit 1'\"]")
    run = ["run", "problem-analysis", "x", "--attempts", "1"]
    assert main([*run, "--max-agents", "2"]) == 3
    spec = standing(find(None)).spec
    assert (spec.agent, spec.max_agents, spec.max_minutes, spec.max_parallel) == ("sh -c 'exit 1'", 2, 7, 2)
    assert main([*run, "--agent", "sh -c 'exit 2'", "--max-parallel", "4"]) == 3
