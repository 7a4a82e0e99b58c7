"""Projects with content: runs at each step, driven runs, settings of a client."""

import io
import json
import os
import random
import shutil
from collections.abc import Callable, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Final

from lib.workflow.app.main import main
from lib.workflow.app.runs.trust import agree
from lib.workflow.errors import RefusedError
from skills.incoherence.due import STEPS
from skills.incoherence.staging import begin as begin_search
from skills.planner.modules import PLAN
from skills.planner.staging import begin as begin_plan
from tests.subjects import WORKFLOWS
from tests.tables.found import TABLES, ask, examples

RUNS: Final = ".stepscript/runs"
RUN: Final = f"{RUNS}/2025-01-01-limits-0a0b0c"
SETTINGS: Final = ".claude/settings.local.json"
PLANNER: Final = {
    "planned": ("planner", "init"),
    "designed": ("planner", "plan-design-route"),
    "reviewed": ("plan-code-qr-verify", "verify"),
    "built": ("impl-code-execute", "prove"),
    "waved": ("executor", "wave-next"),
}
"""Folders of the planner: a workflow, and the step whose state they hold."""


def _planned(workflow: str, step: str) -> Callable[[Path], None]:
    def make(project: Path) -> None:
        found = next(item for item in WORKFLOWS if item.name == workflow)
        begin_plan(found, step, _run(project))

    return make


def _sought(step: str) -> Callable[[Path], None]:
    return lambda project: begin_search(step, _run(project))


def _run(project: Path) -> str:
    folder = project / RUN
    folder.mkdir(parents=True)
    return str(folder)


def _bare(project: Path) -> None:
    (project / "README.md").write_text("# A project\n", encoding="utf-8")


def _edited(project: Path) -> None:
    """Make the plan of the commands' examples."""
    (found,) = (found for found in TABLES if found.table.module == PLAN)
    for row, example in examples(found):
        ask(found, ["--state-dir", RUN, row.name, *example.words], example.given)


def _driven(seed: int, *faults: str) -> Callable[[Path], None]:
    def make(project: Path) -> None:
        words = ["rehearse", "codebase-analysis", "why", "--seed", str(seed), "--keep", RUN, *faults]
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            main(words)

    return make


def _waiting(project: Path) -> None:
    """Make a run whose agent fails, so that it asks its user."""
    words = ["run", "problem-analysis", "why", "--agent", "false", "--attempts", "1"]
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        main(words)
    (run,) = (project / RUNS).iterdir()
    run.rename(project / RUN)


def _installed(project: Path) -> None:
    settings = project / SETTINGS
    settings.parent.mkdir()
    settings.write_text(json.dumps({"permissions": {"allow": ["Bash(ls)"]}, "x": [1, {"y": "z"}]}, indent=2), "utf-8")
    with redirect_stdout(io.StringIO()):
        main(["install", "--agent", "claude", "--yes", "--project", str(project)])


PROGRAMS: Final = ("git", "sh", "false", "true", "head")
MAKERS: Final[Mapping[str, Callable[[Path], None]]] = {
    "bare": _bare,
    **{name: _planned(*step) for name, step in PLANNER.items()},
    **{f"sought-{step}": _sought(step) for step in STEPS[1:]},
    "edited": _edited,
    "driven-soundly": _driven(0),
    "driven-with-faults": _driven(2, "--all-faults"),
    "driven-and-waiting": _waiting,
    "installed": _installed,
}

GROUPS: Final = (*("planner",) * 3, *("edited",) * 4, "sought", "sought", "driven", "driven", "installed", "bare")
"""Kinds of projects, each as often as it should occur."""


def chosen(chance: random.Random) -> str:
    """Return the name of a project."""
    group = chance.choice(GROUPS)
    return chance.choice(
        [name for name in MAKERS if name.startswith(group) or (group == "planner" and name in PLANNER)]
    )


class Folders:
    """A maker of projects: each is made once, then copied for each case."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self.project = place / "project"
        """The project of every case: always the same place, so that a case can be repeated."""
        for name in ("home", "models", "programs", "outside"):
            (place / name).mkdir(parents=True)
        (self.outside / "theirs").write_text("theirs", encoding="utf-8")
        for program in PROGRAMS:
            found = shutil.which(program)
            if found:
                (self.programs / program).symlink_to(found)

    @property
    def home(self) -> Path:
        """Return the user's home folder."""
        return self._place / "home"

    @property
    def programs(self) -> Path:
        """Return the folder of the only programs, so that no case starts a client, or does harm."""
        return self._place / "programs"

    @property
    def outside(self) -> Path:
        """Return the target of links outside of the project, where nothing may be written."""
        return self._place / "outside"

    def fresh(self, name: str, agreed: bool) -> Path:
        """Return the named project as it was made, with or without its user's consent to its runs."""
        model = self._place / "models" / name
        if not model.exists():
            self._clear()
            (self.project / ".git").mkdir(parents=True)
            with chdir(self.project):
                MAKERS[name](self.project)
            shutil.copytree(self.project, model, symlinks=True)
        self._clear()
        shutil.copytree(model, self.project, symlinks=True)
        if agreed:
            self.agree()
        return self.project

    def agree(self) -> None:
        """Let the user agree to the actions of the project's runs."""
        for run in self.runs():
            try:
                agree(str(run))
            except (RefusedError, OSError):
                continue

    def runs(self) -> list[Path]:
        """Return the folders of runs in the project."""
        return sorted((self.project / RUNS).iterdir()) if (self.project / RUNS).is_dir() else []

    def _clear(self) -> None:
        for folder in (self.project, self.home, self.outside):
            for path, folders, _ in os.walk(folder):
                for each in folders:
                    os.chmod(os.path.join(path, each), 0o700)
            shutil.rmtree(folder, ignore_errors=True)
        self.home.mkdir()
        self.outside.mkdir()
        (self.outside / "theirs").write_text("theirs", encoding="utf-8")
