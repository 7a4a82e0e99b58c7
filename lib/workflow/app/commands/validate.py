"""`stepscript validate`: the whole proof of a package's workflows."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

import click
from attrs import asdict

from ...discovery import DiscoveryError, search
from ...state.own_skills import PACKAGE, pending, project
from ...testing.proof import Proof
from ...util.output import DONE, REFUSED
from ...util.suggest import instead
from ..arguments import json_option
from ..install.distribution import origin
from ..install.doctor.skill_files import faults
from ..install.host.environment import adding_line
from ..output.screen import count, emit, out
from ..output.waiting import telling
from ..skills.packages import packages
from ..workflow_argument import PackageName

if TYPE_CHECKING:
    from ...testing.findings import Finding


@click.command()
@click.argument("package", type=PackageName(), required=False)
@json_option
def command(package: str | None, as_json: bool) -> int:
    """Prove the workflows of a package.

    Tries every valid call, every way through, and every printed command, the first of each step as a process. Checks
    each SKILL.md by the rules of Agent Skills, and the commands that it names. Without PACKAGE, proves all installed
    packages. Findings are listed, and the exit status is then 1. A small package takes seconds, one with
    many workflows minutes; a terminal shows the progress.
    """
    chosen = (_known(package),) if package else packages()
    with telling() as tell, Proof(*chosen, tell=tell) as proof:
        findings = []
        for finding in chain(_skill_files(chosen), proof.findings()):
            findings.append(finding)
            if not as_json:
                out().finding(finding.workflow, finding.where, f"{finding.fault}: {finding.what}")
        counts = proof.counts
    if as_json:
        emit({"packages": chosen, "counts": asdict(counts), "findings": [asdict(finding) for finding in findings]})
    else:
        verdict = (count(len(findings), "finding"), "bold red") if findings else ("all in order", "bold green")
        out().line(f"{counts}: ", verdict)
    return REFUSED if findings else DONE


def _skill_files(chosen: Iterable[str]) -> "Iterator[Finding]":
    for package in chosen:
        with suppress(DiscoveryError):  # the proof reports it
            yield from faults(package, search(package)[0])


def _known(package: str) -> str:
    known = packages()  # makes the project's own skills importable
    try:
        search(package)
    except DiscoveryError as error:
        if os.path.isfile(os.path.join(*package.split("."), "__init__.py")):
            line = adding_line(os.getcwd(), origin())
            what = f"{package} is in this folder, but not in the environment of this stepscript, {sys.prefix}"
            raise DiscoveryError(f"{what}. Install it there:  {line}") from None
        waiting = pending(project()) if package.partition(".")[0] == PACKAGE else ""
        raise DiscoveryError(waiting or f"{error}. {instead(package, known)}") from None
    return package
