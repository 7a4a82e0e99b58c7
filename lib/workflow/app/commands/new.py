"""`stepscript new`: makes a skill that passes the proof."""

import importlib.util
import keyword
import os
import re
import sysconfig
from collections.abc import Iterable
from typing import Final

import click

from ...command import is_module
from ...util.output import DONE
from ..arguments import PackageName, json_option
from ..packages import packages
from ..register_skill import join
from ..screen import emit, out
from ..shelves import Shelf, instead, shelves
from ..skeleton.write import folder_of, skeleton, write

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
    "--package", type=PackageName(), help="the package to add the skill to (default: your own, if there is one)"
)
@json_option
def command(name: str, package: str | None, as_json: bool) -> int:
    """Make a new skill.

    NAME is the name of the workflow and, with underscores, of the folder: small letters, digits and single hyphens.
    The skill has two steps and passes the proof unchanged. Of existing files, only the index beside it and a table of
    skills in the README change: they get a row.
    """
    _check(name, shelves())
    chosen = package or _own()
    folder = os.path.join(_location(chosen), folder_of(name))
    if os.path.lexists(folder):
        raise click.BadParameter(f"{folder} already exists; nothing was written", param_hint="NAME")
    texts = skeleton(name, chosen)
    write(texts, folder)
    pages = join(folder, chosen)
    if as_json:
        emit({"name": name, "package": chosen, "folder": folder, "files": list(texts), "pages": pages})
        return DONE
    screen = out()
    screen.line((f"{folder}{os.sep}", "bold"))
    for file, what in _WHAT.items():
        screen.line(f"  {file:<13}", (what, "dim"))
    for page in pages:
        screen.line(f"  {os.path.relpath(page, folder)}", ("  has a new row for it", "dim"))
    screen.line()
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
    own = [package for package in packages() if not _is_copy(_folder(package))]
    here = [package for package in own if (_folder(package) or "").startswith(os.path.join(os.getcwd(), ""))]
    if len(here or own) == 1:
        return (here or own)[0]
    names = ", ".join(own) or "no installed package is your own"
    raise click.UsageError(f"name a package with --package: {names}")


def _location(package: str) -> str:
    folder = _folder(package) if is_module(package) else None
    if folder is None:
        raise click.BadParameter(
            f"no package is named {package!r:.60}. {instead(package, packages())}\n"
            "Install your own package first, for example with `pip install --editable .`",
            param_hint="--package",
        )
    if _is_copy(folder):
        raise click.BadParameter(
            f"{package} is an installed copy, in {folder}; name a package of your own", param_hint="--package"
        )
    return folder


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
