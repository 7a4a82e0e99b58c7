"""`stepscript new`: makes a skill that passes the proof."""

import importlib.util
import keyword
import os
import re
import sys
import sysconfig
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

import click

from ...command import is_module
from ...state.own_skills import FOLDERS, PACKAGE, agree, is_agreed, is_empty, pending, project
from ...util.output import DONE
from ...util.suggest import instead
from ..arguments import json_option
from ..install.distribution import origin
from ..install.host.environment import adding_line
from ..output.screen import emit, out
from ..skeleton.package import PROJECT, lacking, make_package
from ..skeleton.write import folder_of, skeleton, write
from ..skills.packages import packages
from ..skills.register_skill import join
from ..skills.shelves import Shelf, shelves
from ..workflow_argument import PackageName

OURS: Final = "skills"
TYPO: Final = 0.85
"""Similarity of a name to a known one from which on it is taken for a mistake (difflib)."""
MAX_NAME: Final = 64
"""Maximum characters that clients accept (Agent Skills, "name")."""
_WHAT: Final = {
    "workflow.py": "its steps, and the next step for each outcome",
    "prompts.md": "what each step says",
    "run.py": "the script that its commands run",
    "SKILL.md": "its description for clients",
}


@click.command()
@click.argument("name")
@click.option(
    "--package",
    type=PackageName(),
    help="the package to add the skill to, or a new one (default: your own; else the folder skills of this project)",
)
@json_option
def command(name: str, package: str | None, as_json: bool) -> int:
    """Make a new skill.

    NAME is the name of the workflow and, with underscores, of the folder: small letters, digits and single hyphens.
    The skill has two steps and passes the proof unchanged. A new package gets a pyproject.toml that builds a working
    wheel. Of existing files, only the index beside the skill and a table of skills in the README change: they get a
    row.
    """
    _check(name, shelves())
    chosen = package or _own()
    root = project()
    waiting = chosen == PACKAGE and not (is_empty(root) or is_agreed(root))
    place = _of_project(root) if chosen == PACKAGE else _location(chosen)
    folder = os.path.join(place, folder_of(name))
    if os.path.lexists(folder):
        raise click.BadParameter(f"{folder} already exists; nothing was written", param_hint="NAME")
    texts = skeleton(name, chosen)
    installed = chosen == PACKAGE or _folder(chosen) is not None
    made = () if installed else make_package(chosen, os.path.dirname(place))
    os.makedirs(place, exist_ok=True)
    write(texts, folder)
    if chosen == PACKAGE and not waiting:
        agree(root)  # everything there was agreed to before, or made now
    pages = join(folder, chosen) if installed and chosen != PACKAGE else []
    line = "" if installed else adding_line(os.path.dirname(place), origin())
    missing = "" if installed else lacking(chosen, os.path.dirname(place))
    if as_json:
        shown = {"name": name, "package": chosen, "folder": folder, "files": list(texts), "pages": pages}
        emit({**shown, "made": made, "install": line, "lacking": missing})
        return DONE
    screen = out()
    for path in made:
        screen.line((path, "bold"))
    screen.line((f"{folder}{os.sep}", "bold"))
    for file, what in _WHAT.items():
        screen.line(f"  {file:<13}", (what, "dim"))
    for page in pages:
        screen.line(f"  {os.path.relpath(page, folder)}", ("  has a new row for it", "dim"))
    screen.line()
    if missing:
        screen.line(f"Add to {os.path.join(os.path.dirname(place), PROJECT)}:")
        screen.text(f"\n{missing}\n")
    if line:
        screen.line("Install the package into the environment of this stepscript:")
        screen.line("  ", (line, "green"))
    if waiting:
        screen.line(pending(root))
    screen.line("Next: ", (f"stepscript walk {name}", "green"), ", and make its steps and prompts your own.")
    return DONE


def _check(name: str, every: Iterable[Shelf]) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > MAX_NAME:
        raise click.BadParameter(
            f"{name!r:.80}: use lower-case letters, digits and single hyphens; start with a letter; "
            f"at most {MAX_NAME} characters",
            param_hint="NAME",
        )
    if keyword.iskeyword(name):
        raise click.BadParameter(f"{name!r} is a Python keyword; choose another name", param_hint="NAME")
    for home, taken in ((item.home, item.workflow.name) for shelf in every for item in shelf.found):
        if taken == name:
            raise click.BadParameter(f"workflow {name!r} already exists, in {home}", param_hint="NAME")


def _own() -> str:
    """Return the project's package.

    It is the one below the working directory, or the only one that is not an installed copy.
    """
    own = [package for package in packages() if package != PACKAGE and _is_own(package)]
    here = [package for package in own if (_folder(package) or "").startswith(os.path.join(os.getcwd(), ""))]
    if len(here or own) == 1:
        return (here or own)[0]
    if not own:
        return PACKAGE
    raise click.UsageError(f"name a package with --package: {', '.join(own)}")


def _is_own(package: str) -> bool:
    """Return True for a package that the user develops; ours only if it is developed here."""
    folder = _folder(package)
    return not _is_copy(folder) and (package != OURS or f"{folder}".startswith(os.path.join(project(), "")))


def _of_project(root: str) -> str:
    """Return the folder for a project's own skills: `skills`, unless a Python package has that name."""
    named = (os.path.join(root, *name.split("/")) for name in FOLDERS)
    return next(path for path in named if not os.path.lexists(os.path.join(path, "__init__.py")))


def _location(package: str) -> str:
    """Return the folder of a package: an importable one of the user's own, else one in the working directory."""
    folder = _folder(package) if is_module(package) else None
    if folder is None:
        local = os.path.abspath(package)
        near = get_close_matches(package, packages(), 1, TYPO)
        if _is_free(package) and (os.path.isfile(os.path.join(local, "__init__.py")) or not near):
            return local
        raise click.BadParameter(
            f"no package is named {package!r:.60}. {instead(package, packages())}\n"
            "Name a package of your own, or a new one: a name of letters, digits and underscores",
            param_hint="--package",
        )
    if _is_copy(folder):
        raise click.BadParameter(
            f"{package} is an installed copy, in {folder}; name a package of your own", param_hint="--package"
        )
    return folder


def _is_free(package: str) -> bool:
    """Return True if no package or module has this name, and a new top-level package can have it."""
    valid = is_module(package) and "." not in package and not keyword.iskeyword(package)
    return valid and package not in sys.stdlib_module_names and importlib.util.find_spec(package) is None


def _folder(package: str) -> str | None:
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    places = list(spec.submodule_search_locations or ()) if spec else []
    return os.path.abspath(places[0]) if places else None


def _is_copy(folder: str | None) -> bool:
    copies = tuple(os.path.join(sysconfig.get_path(kind), "") for kind in ("purelib", "platlib", "stdlib"))
    return folder is None or f"{folder}{os.sep}".startswith(copies)
