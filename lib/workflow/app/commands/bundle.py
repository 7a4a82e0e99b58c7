"""`stepscript bundle`: writes the skills as a plugin."""

import os
import re
from typing import Final

import click

from ...util.output import DONE
from ..arguments import json_option
from ..screen import count, emit, out
from ..writing import writing

_SOURCE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+:/@=~%-]*")


@click.command()
@click.argument("folder", metavar="DIR")
@click.option(
    "--source", help="what pip installs the package from, if a user lacks it (default: the source of this copy)"
)
@json_option
def command(folder: str, source: str | None, as_json: bool) -> int:
    """Write the skills as a plugin.

    DIR becomes a plugin of Claude Code, Codex, Gemini CLI and Copilot CLI, and a marketplace with only this plugin:
    skills, roles of agents, and a hook. DIR must be missing or empty. No client installs Python packages, so each
    skill brings a launcher that finds the Python that has them, or says what to type.
    """
    from ..install.bundle import bundle, write
    from ..install.distribution import origin

    source = source or origin()
    if not _SOURCE.fullmatch(source):
        raise click.BadParameter(f"{source!r:.80} is not a name or address that pip accepts", param_hint="--source")
    files = bundle(source)
    with writing(folder, "folder"):
        write(files, folder)
    place = os.path.abspath(folder)
    if as_json:
        emit({"folder": place, "files": sorted(files)})
        return DONE
    skills = sum(path.endswith("/SKILL.md") for path in files)
    out().line((f"{place}{os.sep}", "bold"), f"  {count(skills, 'skill')}, {count(len(files), 'file')}")
    out().line()
    for client, line in (
        ("Claude Code", f"claude plugin marketplace add {place}"),
        ("", "claude plugin install stepscript@stepscript-skills"),
        ("Codex", f"codex plugin marketplace add {place}"),
        ("", "codex plugin add stepscript@stepscript-skills"),
        ("Gemini CLI", f"gemini extensions install {place}"),
        ("Copilot CLI", f"copilot plugin marketplace add {place}"),
        ("", "copilot plugin install stepscript@stepscript-skills"),
    ):
        out().line(f"  {client:<13}", (line, "green"))
    out().line()
    out().line(
        "Users without the package are told to run: ", (f"uv tool install {source}", "green"), "; --source changes it"
    )
    return DONE
