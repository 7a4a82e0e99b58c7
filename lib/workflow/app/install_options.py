"""Common parts of `install` and `uninstall`: the place options, the question and the report."""

import os
from collections import Counter
from collections.abc import Sequence
from typing import Final

import click

from ..errors import RefusedError
from ..state.git import repository
from ..state.run_dirs import HOME, home_folder
from .arguments import F, OneOf
from .install.changes import SETTLED, Change, ChangeKind
from .install.clients import Scope
from .install.tree import Tree
from .output.asking import confirm
from .output.screen import count, emit, out

_NAMED: Final = ("merged", "edited", "kept")
"""Kinds of changes of which each file is named."""
_STYLES: Final = {
    "new": "green",
    "updated": "cyan",
    "merged": "cyan",
    "removed": "cyan",
    "edited": "yellow",
    "kept": "bold yellow",
}


def place_options(command: F) -> F:
    """Add `--scope` and `--project`."""
    where = click.option(
        "-C", "--project", metavar="DIR", help="the project (default: the repository around this folder)"
    )
    whose = click.option(
        "--scope",
        type=OneOf([scope.value for scope in Scope]),
        default=Scope.PROJECT.value,
        show_default=True,
        help="install for one project, or for you in all projects",
    )
    return whose(where(command))


def dry_run_option(command: F) -> F:
    """Add `--dry-run`."""
    return click.option("--dry-run", is_flag=True, help="only show what would be done")(command)


def yes_option(command: F) -> F:
    """Add `--yes`."""
    return click.option("--yes", is_flag=True, help="do not ask")(command)


def tree_of(scope: str, project: str | None) -> Tree:
    """Return the chosen folder. Raises UsageError if it does not exist."""
    if scope == Scope.USER:
        if project is not None:
            raise click.UsageError("--project cannot be combined with --scope user; remove one of them")
        return home_tree()
    if project is None:
        here = os.getcwd()
        return Tree(repository(here) or here)
    if not os.path.isdir(project):
        raise click.BadParameter(f"folder {project!r:.200} does not exist", param_hint="--project")
    return Tree(project)


def check_project(tree: Tree) -> None:
    """Raise RefusedError for a folder that is not a project: the root folder, or the user's home folder."""
    home = home_folder()
    if tree.root == os.path.dirname(tree.root):
        what, fix = "it is the root of the file system, not a project", "Go into a project, or name it with --project."
        raise RefusedError("no-project", tree.root, what, fix)
    if home and tree.root == os.path.realpath(home):
        what = "it is your home folder, not a project"
        fix = "Go into a project, or install for you in all projects: stepscript install --scope user"
        raise RefusedError("no-project", tree.root, what, fix)


def check_writable(tree: Tree) -> None:
    """Raise RefusedError if this user cannot install into a project."""
    held = tree.place(HOME)
    if not os.access(held if os.path.isdir(held) else tree.root, os.W_OK):
        what = "you cannot write into this folder"
        fix = "Go into a project of yours, or install for you in all projects: stepscript install --scope user"
        raise RefusedError("unwritable", tree.root, what, fix)


def home_tree() -> Tree:
    """Return the user's home folder. Raises UsageError if the user has none."""
    home = home_folder()
    if home is None:
        raise click.UsageError("this user has no home folder; set HOME to an absolute path")
    return Tree(home)


def needs_consent(done: Sequence[Change]) -> bool:
    """Return True if a plan would write or remove something."""
    return any(change.kind not in (*SETTLED, ChangeKind.KEPT) for change in done)


def ask(tree: Tree, question: str, done: Sequence[Change], as_json: bool) -> None:
    """Show the plan, and ask. Raises RefusedError if nobody can be asked, click.Abort for a no."""
    if not as_json:
        report(tree, done, as_json, "will be")
    what, fix = "nothing was changed: there is no terminal to ask you", "--dry-run shows the plan; --yes agrees to it."
    confirm(question, RefusedError("unconfirmed", tree.root, what, fix), default=True)


def report(tree: Tree, done: Sequence[Change], as_json: bool, would: str = "") -> None:
    """Report the change, done or planned, of each file that was not up to date."""
    if as_json:
        rows = [{"path": tree.place(change.path), "kind": change.kind, "why": change.why} for change in done]
        emit({"folder": tree.root, "files": rows})
        return
    screen = out()
    screen.line((tree.root, "bold"))
    for (folder, kind), number in Counter((_shelf(change.path), str(change.kind)) for change in done).items():
        if kind not in ("same", *_NAMED):
            what = (f"{f'{would} {kind}'.strip():<8}", _STYLES[kind])
            screen.line("  ", what, f"  {folder}", (f"  {number}" if number > 1 else "", "dim"))
    for change in done:
        if change.kind in _NAMED:
            why, _, difference = change.why.partition("\n")
            screen.line("  ", (f"{change.kind:<8}", _STYLES[change.kind]), f"  {change.path}{why and f': {why}'}")
            for line in difference.splitlines():
                screen.line(f"      {line}")
    same = sum(change.kind in ("same", "edited") for change in done)
    if same and same == len(done):
        screen.line(f"  all in order: {count(same, 'file')}")
    elif not done:
        screen.line("  nothing is installed here")


def _shelf(path: str) -> str:
    """Return the folder of skills or roles that holds a file; else the file itself."""
    for folder in ("/skills/", "/agents/"):
        before, found, _ = path.rpartition(folder)
        if found:
            return f"{before}{folder}"
    return path
