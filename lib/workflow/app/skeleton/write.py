"""The writer of a new skill: it fills a temporary folder, which is then moved at once."""

import os
import shutil
from collections.abc import Mapping
from string import Template
from typing import Final

FILES: Final[Mapping[str, str]] = {
    "__init__.py": "",
    "workflow.py": "workflow.txt",
    "prompts.md": "prompts.md",
    "run.py": "run.txt",
    "SKILL.md": "SKILL.md",
}
"""Files of a skill, each with its template; the first has none."""
DESCRIPTION: Final = "Researches what a request is about and reports the findings."


def skeleton(name: str, package: str) -> dict[str, str]:
    """Return the files of a new skill, by name."""
    values = {
        "name": name,
        "title": name.replace("-", " ").capitalize(),
        "module": f"{package}.{folder_of(name)}",
        "description": DESCRIPTION,
    }
    return {
        file: Template(read_template(template)).substitute(values) if template else ""
        for file, template in FILES.items()
    }


def read_template(template: str) -> str:
    """Return the text of a template in this folder."""
    with open(os.path.join(os.path.dirname(__file__), template), encoding="utf-8") as file:
        return file.read()


def folder_of(name: str) -> str:
    """Return the name of a skill's folder, which is also a module."""
    return name.replace("-", "_")


def write(texts: Mapping[str, str], folder: str) -> None:
    """Make the folder with these files, whole. Raises OSError if it cannot, or if the folder has files already."""
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
