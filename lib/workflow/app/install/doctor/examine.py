"""The checks of `stepscript doctor`, each finding with the command that fixes it."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from ....command import LAUNCHER_VARIABLE, launcher
from ....command.origins import origins
from ....command.quoting import join
from ....errors import RefusedError, UsageError
from ....run.conditions.kinds import Condition, Kind
from ....state.consent import MISSING, is_marked, key_of_user
from ....state.own_skills import pending
from ....state.own_skills import project as own_project
from ....state.run_dirs import HOME, run_folders
from ....util.search_path import program_path, which
from ...skills.listing import read_listing
from ..distribution import changed_files, origin, sharing
from ..host.environment import repairing_line
from ..tree import Tree
from .asked import asked
from .findings import Finding, State
from .installed_files import installed

_OLDEST: Final = (3, 11)
_PROBE: Final = "import lib.workflow.types as c, skills.agents as s; print(c.__file__); print(s.__file__)"
_SECONDS: Final = 30
NAMES: Final = ("lib", "skills")
"""Packages that a command imports, whose names a project's folder may have too."""
SHOWN: Final = 3
"""Maximum file names in one finding."""


def examine(project: Tree, home: Tree) -> Iterator[Finding]:
    """Yield the findings on everything that can keep a skill from running in a project, or from being found there."""
    checks: Mapping[str, Callable[[], Iterable[Finding]]] = {
        "interpreter": lambda: (_interpreter(),),
        "imports": lambda: _imports(project),
        "files": _distribution,
        "workflows": _workflows,
        "state": lambda: (_folder(project),),
        "consent": lambda: (_key(),),
        "runs": lambda: _runs(project),
        "clients": _clients,
        "skills": lambda: installed(project, home),
    }
    for subject, check in checks.items():
        try:
            yield from check()
        except OSError as error:  # a folder that this user cannot read hides no other finding
            path = os.fsdecode(error.filename or project.root)
            yield Finding(subject, State.BAD, f"{path}: {error.strerror}", f"ls -ld {join([path])}")


def _interpreter() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < _OLDEST:
        return Finding(
            "interpreter",
            State.BAD,
            f"Python {version} is too old",
            f"uv tool install --force --python 3.12 {join([origin()])}",
        )
    try:
        words = launcher()
    except UsageError as error:
        return Finding("interpreter", State.BAD, str(error), f"unset {LAUNCHER_VARIABLE}")
    if which(words[0]) is None:
        unset = f"unset {LAUNCHER_VARIABLE}" if os.environ.get(LAUNCHER_VARIABLE) else "reinstall Python"
        return Finding("interpreter", State.BAD, f"{words[0]} is not a program", unset)
    return Finding("interpreter", State.GOOD, f"{join(words)}, Python {version}")


def _imports(project: Tree) -> Iterator[Finding]:
    """Check that commands import this program's packages, in the project's folder."""
    try:
        python, *more = launcher()
        words = [program_path(python), *more, "-c", _PROBE]
        tried = subprocess.run(words, cwd=project.root, capture_output=True, timeout=_SECONDS, text=True, check=False)
    except (UsageError, OSError, subprocess.SubprocessError) as error:
        yield Finding("imports", State.BAD, f"a command cannot be started: {error}", f"unset {LAUNCHER_VARIABLE}")
        return
    (ours,) = origins("lib")[:1] or ("",)
    found = [os.path.dirname(os.path.dirname(os.path.abspath(path))) for path in tried.stdout.splitlines()]
    if tried.returncode or found != [os.path.join(ours, "lib"), os.path.join(ours, "skills")]:
        last = (tried.stderr.strip().splitlines() or [f"they import {' and '.join(found)} instead of {ours}"])[-1]
        unset = [name for name in (LAUNCHER_VARIABLE, "PYTHONPATH") if os.environ.get(name)]
        fix = f"unset {' '.join(unset)}" if unset else repairing_line(origin())
        yield Finding("imports", State.BAD, f"commands do not run: {last}", fix)
    else:
        yield Finding("imports", State.GOOD, f"commands import lib and skills of {ours}")
    yield from _namesakes(project, ours)


def _namesakes(project: Tree, ours: str) -> Iterator[Finding]:
    """Yield other packages with our names, which a command ignores."""
    for folder in dict.fromkeys(map(os.path.abspath, (project.root, *sys.path))):
        for name in NAMES if folder != ours else ():
            path = os.path.join(folder, name)
            if os.path.isfile(os.path.join(path, "__init__.py")) or os.path.isfile(f"{path}.py"):
                what = (
                    f"{path} has the same name as a package of stepscript: printed commands ignore it (-I); "
                    "a command typed without -I, and pytest, may import it instead"
                )
                yield Finding("imports", State.NOTE, what)


def _distribution() -> Iterator[Finding]:
    """Check that our files are unchanged, and belong to no other distribution."""
    alone = f"uv tool install --force {join([origin()])}"
    changed, shared = changed_files(), sharing()
    if changed:
        what = f"{_some(changed)} missing or overwritten since the installation"
        yield Finding("files", State.BAD, what, alone if shared else repairing_line(origin()))
    for other, files in shared.items():
        what = f"{other} also contains {_some(files)}: the one installed last overwrites the other"
        yield Finding("files", State.BAD, what, alone)
    if not (changed or shared):
        yield Finding("files", State.GOOD, "unchanged since the installation")


def _some(files: tuple[str, ...]) -> str:
    more = f" and {len(files) - SHOWN} more" if len(files) > SHOWN else ""
    return ", ".join(files[:SHOWN]) + more


def _workflows() -> Iterator[Finding]:
    """Check that each workflow can be used."""
    try:
        known = read_listing(everything=True)
    except UsageError:  # an error of the launcher, which has its own finding
        return
    for fault in known.faults:
        fix = f"stepscript validate {fault.home.rpartition('.')[0] or fault.home}"
        yield Finding("workflows", State.BAD, f"{fault.home} cannot be used: {fault.reason}", fix)
    waiting = pending(own_project())
    if waiting:
        yield Finding("workflows", State.NOTE, waiting)
    if not known.faults:
        yield Finding("workflows", State.GOOD, f"all {len(known.rows)} are usable")


def _folder(project: Tree) -> Finding:
    """Check that a run can keep its state in the project."""
    place = os.path.join(project.root, HOME)
    existing = place if os.path.isdir(place) else project.root
    if os.path.lexists(place) and not os.path.isdir(place):
        return Finding("state", State.BAD, f"{place} is not a folder", f"mv {join([place])} {join([f'{place}.old'])}")
    if not os.access(existing, os.W_OK | os.X_OK):
        return Finding("state", State.BAD, f"{existing} cannot be written", f"chmod u+rwx {join([existing])}")
    return Finding("state", State.GOOD, f"runs are kept in {place}")


def _key() -> Finding:
    """Check that the user's own runs can be marked."""
    try:
        key_of_user(make=False)
    except RefusedError as error:
        if error.code != MISSING:
            return Finding("consent", State.BAD, f"no run can be marked as yours: {error}", error.fix)
        return Finding(
            "consent", State.GOOD, f"runs are marked as yours by a key, which the first run creates: {error.target}"
        )
    return Finding("consent", State.GOOD, "runs are marked as yours by a key that only you can read")


def _runs(project: Tree) -> Iterator[Finding]:
    """Yield the runs that need the user's consent to go on."""
    strange = [path for path in run_folders(project.root) if not any(map(is_marked, (path, f"{path}/driver")))]
    if strange:
        what = f"{len(strange)} of the runs here are not marked as yours; inspect them before you continue one"
        yield Finding("consent", State.NOTE, what, "stepscript runs")


def _clients() -> Iterator[Finding]:
    """Ask each client on the path for its version and its login."""
    found = asked()
    if not found:
        yield Finding("clients", State.NOTE, "none found on the path")
    for each in found:
        if each.problem:
            yield Finding("clients", State.NOTE, f"{each.client} {each.problem}", f"{each.client} --version")
            continue
        name = f"{each.client} {each.version}"
        if each.is_logged_in is False:
            fix = Condition(kind=Kind.LOGIN, client=each.client).fix
            yield Finding("clients", State.NOTE, f"{name}, not logged in", fix)
        elif each.is_logged_in:
            yield Finding("clients", State.GOOD, f"{name}, logged in")
        else:
            why = "it did not say whether" if each.has_question else "it has no command that says whether"
            yield Finding("clients", State.GOOD, f"{name}; {why} it is logged in")
