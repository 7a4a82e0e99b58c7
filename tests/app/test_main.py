"""The `stepscript` command as a whole: its help, its exit statuses, its messages about mistakes."""

import json
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import click
import pytest

from lib.workflow.app import main as module
from lib.workflow.app.main import COMMANDS, main
from lib.workflow.command.quoting import quote
from tests.plugins.sites import only
from tests.starts import imported
from tests.subjects import ROOT
from tests.wording import carries

Captured = pytest.CaptureFixture[str]
SOUND = """
from lib.workflow.core import Outcome, StepDef, Workflow

WORKFLOW = Workflow(
    "tidy-up", StepDef(id="a", title="A", actions="x", next={Outcome.OK: None}), module="torn.tidy_up.run"
)
"""
STEPSCRIPT = Path(sys.executable).with_name("stepscript")


def test_the_installed_command_knows_its_version(capsys: Captured) -> None:
    run = subprocess.run([STEPSCRIPT, "--version"], capture_output=True, encoding="utf-8", check=True)
    assert run.stdout == f"stepscript {version('stepscript')}\n"
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == run.stdout


def test_help_describes_every_command_in_one_sentence(capsys: Captured) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    modules = Path(ROOT, "lib", "workflow", "app", "commands").glob("[a-z]*.py")
    assert {file.stem for file in modules} == set(COMMANDS)
    listed = [
        line.split()[0] for line in shown.splitlines() if line[:2].isspace() and line[2:].startswith((*COMMANDS,))
    ]
    assert listed == list(COMMANDS)
    assert "..." not in shown.replace("[ARGS]...", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_list_of_commands_has_the_first_sentence_of_each_help(name: str) -> None:
    command = module.stepscript.get_command(click.Context(module.stepscript), name)
    assert command is not None
    assert command.get_short_help_str(200) == COMMANDS[name]


def test_help_and_completion_import_no_command() -> None:
    own = {f"lib.workflow.app.commands.{name}" for name in COMMANDS}
    asked = {"_STEPSCRIPT_COMPLETE": "bash_complete", "COMP_WORDS": "stepscript s", "COMP_CWORD": "1"}
    completes = f"import os; os.environ |= {asked}; from stepscript.cli import main; main()"
    for words in (("-m", "stepscript", "--help"), ("-c", completes)):
        modules = imported(*words)
        assert "lib.workflow.app.main" in modules
        assert not modules & own


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_of_its_own_within_80_columns(command: str, capsys: Captured) -> None:
    assert main([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"Usage: stepscript {command} ")
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "Usage: stepscript"),
        (["lst"], "'lst' … 'list' … Try 'stepscript --help'."),
        (["list", "--jsn"], "'--jsn' … '--json' … Try 'stepscript list --help'."),
        (["schema", "--tag"], "'--tag' … Try 'stepscript schema --help'."),
        (["list", "all"], "unexpected extra argument"),
        (["-C", "x", "list"], "'stepscript list -C'"),
        (["-v"], "'-v'.\nTry 'stepscript --help'."),
        (["plan"], "COMMAND\n"),
        (["show"], "Missing argument 'WORKFLOW'"),
        (["show", "problem-analisys"], "'problem-analisys' … problem-analysis"),
        (["step", "q", "1"], "'q'. Workflows:"),
        (["step", "problem-analysis"], "'STEP'"),
        (["graph", "problem-analysis", "--format", "dott"], "'dott' … dot"),
        (["completion", "tcsh"], "'SHELL': 'tcsh' … Known: bash, fish, zsh"),
        (["validate", "."], "'.'"),
        (["validate", "./"], "'./'"),
        (["validate", ".."], "'..'"),
        (["validate", "skils"], "'skils' … skills"),
        (["schema", "--tag", "a b"], "'a b'"),
        (["show", "\x1b[31mred\u202e"], r"'\x1b[31mred\u202e'"),
    ],
)
def test_a_mistake_is_answered_on_standard_error_with_what_to_write(
    words: list[str], says: str, capsys: Captured
) -> None:
    assert main(words) == 2
    said = capsys.readouterr()
    assert carries(said.err, says)
    assert said.out == ""


@pytest.mark.parametrize("words", ["show tidy-up", "graph tidy-up", "walk tidy-up", "step tidy-up 1", "stats tidy-up"])
@pytest.mark.parametrize("torn", ["workflow", "run"])
def test_unusable_skill_is_reported_first_with_its_place(
    words: str, torn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    name = f"torn_{tmp_path.name}"
    folder = tmp_path / name / "tidy_up"
    folder.mkdir(parents=True)
    for package in (folder, folder.parent):
        (package / "__init__.py").touch()
    (folder / "workflow.py").write_text(SOUND.replace("torn", name))
    (folder / f"{torn}.py").write_text("\n\nWORKFLOW = (\n")
    monkeypatch.syspath_prepend(tmp_path)
    only(name, monkeypatch)
    assert main(words.split()) == 2
    said = capsys.readouterr()
    assert re.match(rf"stepscript: tidy-up .*{folder}/{torn}\.py:3: SyntaxError", said.err)
    assert (said.out, "Traceback" in said.err) == ("", False)


@pytest.mark.parametrize(
    "words",
    [
        ["list"],
        ["show", "problem-analysis"],
        ["graph", "problem-analysis"],
        ["graph", "problem-analysis", "--format", "dot"],
        ["walk", "problem-analysis"],
        ["step", "problem-analysis", "3"],
        ["schema"],
        ["completion", "bash"],
    ],
    ids=" ".join,
)
def test_json_is_one_document_and_nothing_else(words: list[str], capfd: Captured) -> None:
    assert main([*words, "--json"]) == 0
    printed = capfd.readouterr()
    assert printed.err == ""
    assert json.loads(printed.out)


@pytest.mark.parametrize("words", ["list", "rehearse problem-analysis", "schema"])
def test_closed_output_pipe_is_not_an_error(words: str) -> None:
    command = f"{quote(str(STEPSCRIPT))} {words} | head -c 1 >/dev/null"
    run = subprocess.run(["/bin/sh", "-c", command], capture_output=True, encoding="utf-8", check=False)
    assert run.stderr == ""


def test_full_disk_is_reported_without_a_traceback() -> None:
    run = subprocess.run(
        ["/bin/sh", "-c", f"{quote(str(STEPSCRIPT))} schema >/dev/full"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (run.returncode, len(run.stderr.splitlines())) == (4, 1)


def test_a_bad_launcher_is_wrong_usage(monkeypatch: pytest.MonkeyPatch, capfd: Captured) -> None:
    monkeypatch.setenv("WORKFLOW_PYTHON", "python && x")
    for words in (["list", "--json"], ["show", "problem-analysis"], ["rehearse", "problem-analysis"]):
        assert main(words) == 2
        said = capfd.readouterr()
        assert "WORKFLOW_PYTHON" in (said.out if "--json" in words else said.err)


@pytest.mark.parametrize(
    ("error", "status"), [(KeyboardInterrupt(), 130), (RuntimeError("a\nb"), 1), (OSError(28, "full"), 1)]
)
def test_every_failure_gives_a_status_and_no_traceback(
    error: BaseException, status: int, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(module.stepscript, "main", fail)
    assert main(["list"]) == status
    said = capsys.readouterr().err
    assert ("RuntimeError: a" in said) is isinstance(error, RuntimeError)
    monkeypatch.setenv("STEPSCRIPT_TRACEBACK", "1")
    if isinstance(error, RuntimeError):
        with pytest.raises(RuntimeError):
            main(["list"])


@pytest.mark.parametrize(
    "module", ["stepscript.names", "lib.workflow.app.main", "click", "lib.workflow.app.commands.list"]
)
def test_interruption_while_a_module_is_imported_has_its_status_and_no_traceback(module: str) -> None:
    script = f"""
import sys
from stepscript.cli import main

class Interrupted:
    def find_spec(self, name, *_):
        if name == {module!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupted())
sys.exit(main())
"""
    run = subprocess.run([sys.executable, "-c", script, "list"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr.strip()) == (130, "", "")
