"""`stepscript bundle`: writes the skills as a plugin."""

import os
import re
from collections.abc import Mapping, Sequence
from typing import Final

import click

from ...command.quoting import join
from ...util.output import DONE
from ..arguments import json_option
from ..install.bundle import bundle, write
from ..install.distribution import DISTRIBUTION, by_package, origin, others
from ..install.launcher import lines
from ..output.screen import count, emit, out
from ..output.writing import writing
from ..skills.packages import packages

_SOURCE: Final = re.compile(r"(?:[A-Za-z0-9][\w.-]* @ )?[A-Za-z0-9][A-Za-z0-9_.+:/@=~%#&?-]*")
_LOCAL: Final = "file:"


@click.command()
@click.argument("folder", metavar="DIR")
@click.option(
    "--source",
    "sources",
    metavar="SOURCE",
    multiple=True,
    help="what pip installs stepscript from, or `NAME @ SOURCE` for another package of skills; repeatable (default: "
    "what this copy was installed from)",
)
@json_option
def command(folder: str, sources: tuple[str, ...], as_json: bool) -> int:
    """Write the skills as a plugin.

    DIR becomes a plugin of Claude Code, Codex, Gemini CLI and Copilot CLI, and a marketplace with only this plugin:
    skills, roles of agents, and a hook. DIR must be missing or empty. No client installs Python packages, so each
    skill brings a launcher that finds the Python that has them, or says what to type. A package that was installed
    from a folder of this machine needs a --source, because others cannot install it from there; without one its skills
    are left out.
    """
    chosen = _chosen(sources)
    if DISTRIBUTION not in chosen:
        raise click.UsageError(
            "this copy of stepscript was installed from a folder of this machine, from which nobody else can install "
            "it; name an address with --source, such as --source git+https://example.org/stepscript"
        )
    included = [package for package, name in by_package().items() if name in chosen]
    listed = (chosen.pop(DISTRIBUTION), *chosen.values())
    files = bundle(listed, included)
    with writing(folder, "folder"):
        write(files, folder)
    place, left_out = os.path.abspath(folder), _left_out(included)
    if as_json:
        emit({"folder": place, "files": sorted(files), "packages": included, "left_out": left_out})
        return DONE
    skills = sum(path.endswith("/SKILL.md") for path in files)
    out().line((f"{place}{os.sep}", "bold"), f"  {count(skills, 'skill')}, {count(len(files), 'file')}")
    for package in left_out:
        out().line(f"  without {package}: no --source says what others install it from")
    out().line()
    for client, words in (
        ("Claude Code", ("claude", "plugin", "marketplace", "add", place)),
        ("", ("claude", "plugin", "install", "stepscript@stepscript-skills")),
        ("Codex", ("codex", "plugin", "marketplace", "add", place)),
        ("", ("codex", "plugin", "add", "stepscript@stepscript-skills")),
        ("Gemini CLI", ("gemini", "extensions", "install", place)),
        ("Copilot CLI", ("copilot", "plugin", "marketplace", "add", place)),
        ("", ("copilot", "plugin", "install", "stepscript@stepscript-skills")),
    ):
        out().line(f"  {client:<13}", (join(words), "green"))
    out().line()
    out().line("Users without the packages are asked to run: ", (lines(listed)[0], "green"))
    return DONE


def _chosen(given: Sequence[str]) -> dict[str, str]:
    """Return the source of each distribution that others can install."""
    named: dict[str, str] = {}
    for text in given:
        if not _SOURCE.fullmatch(text):
            raise click.BadParameter(f"{text!r:.80} is not a name or address that pip accepts", param_hint="--source")
        name, separator, _ = text.partition(" @ ")
        named[_plain(name) if separator else DISTRIBUTION] = text
    known = {_plain(name): name for name in (DISTRIBUTION, *others())}
    for name in named.keys() - known:
        what = f"no installed package with skills is named {name!r:.60}; known: {', '.join(known)}"
        raise click.BadParameter(what, param_hint="--source")
    found: Mapping[str, str] = {name: named.get(plain) or origin(name) for plain, name in known.items()}
    return {name: source for name, source in found.items() if not source.startswith(_LOCAL)}


def _plain(name: str) -> str:
    """Return the normalised name of a distribution (PyPA, "Name normalization")."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _left_out(included: Sequence[str]) -> list[str]:
    return [package for package in packages() if package not in included]
