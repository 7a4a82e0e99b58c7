"""A package for skills: its folder, and a `pyproject.toml` that builds it into a wheel with all its files."""

import os
import tomllib
from string import Template
from typing import Final

from ..skills.packages import GROUP
from .write import read_template

PROJECT: Final = "pyproject.toml"


def make_package(package: str, folder: str) -> tuple[str, ...]:
    """Make a package and its `pyproject.toml` in a folder, as far as they are missing, and return the new files."""
    place, project = os.path.join(folder, package, "__init__.py"), os.path.join(folder, PROJECT)
    texts = {place: "", project: project_text(package)}
    os.makedirs(os.path.dirname(place), exist_ok=True)
    made = [path for path in texts if not os.path.lexists(path)]
    for path in made:
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(texts[path])
    return tuple(made)


def project_text(package: str) -> str:
    """Return the text of a new `pyproject.toml`."""
    return Template(read_template("pyproject.txt")).substitute(package=package, distribution=package.replace("_", "-"))


def lacking(package: str, folder: str) -> str:
    """Return the lines that an existing `pyproject.toml` lacks to declare the package; empty if it declares it."""
    try:
        with open(os.path.join(folder, PROJECT), "rb") as file:
            declared = tomllib.load(file)["project"]["entry-points"][GROUP]
        if package in declared.values():
            return ""
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        pass
    text = project_text(package)
    return text[text.index("# stepscript finds") : text.index("[tool.setuptools.packages.find]")].strip()
