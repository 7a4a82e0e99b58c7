"""A new skill on disk: made whole beside its place, then moved there at once."""

import os
import shutil
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from typing import Final

FILES: Final[Mapping[str, str]] = {
    "__init__.py": "",
    "workflow.py": "workflow.txt",
    "prompts.md": "prompts.md",
    "run.py": "run.txt",
    "SKILL.md": "SKILL.md",
}
"""What a skill consists of, and the template of each; the first has none."""
DESCRIPTION: Final = "Looks at what a request is about and reports what was found."


def skeleton(name: str, package: str) -> dict[str, str]:
    """The files of a new skill, by name."""
    values = {
        "name": name,
        "title": name.replace("-", " ").capitalize(),
        "module": f"{package}.{folder_of(name)}",
        "description": DESCRIPTION,
    }
    here = files(__package__ or "")
    return {
        file: Template(here.joinpath(template).read_text(encoding="utf-8")).substitute(values) if template else ""
        for file, template in FILES.items()
    }


def folder_of(name: str) -> str:
    """The name of a skill's folder, which is a module too."""
    return name.replace("-", "_")


def write(texts: Mapping[str, str], folder: str) -> None:
    """Makes the folder with these files, whole. Raises OSError where it cannot, or where one holds files already."""
    parent, name = os.path.split(folder)
    beside = os.path.join(parent, f".{name}.{os.getpid()}.new")
    os.mkdir(beside)
    try:
        for file, text in texts.items():
            with open(os.path.join(beside, file), "x", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
        os.rename(beside, folder)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
