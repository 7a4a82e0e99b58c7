"""`stepscript validate`: the whole proof of a package's workflows."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from attrs import asdict

from ...discovery import DiscoveryError, search
from ...output import DONE, REFUSED
from ..arguments import PackageName, json_option
from ..packages import packages
from ..screen import Screen, count, emit, err, out
from ..shelves import instead


@click.command()
@click.argument("package", type=PackageName(), required=False)
@json_option
def command(package: str | None, as_json: bool) -> int:
    """Prove the workflows of a package.

    Every valid call is tried, every way through, every printed command as a process. Without PACKAGE, all that are
    installed. What is wrong is named, and the exit status is then 1.
    """
    from ...testing.proof import Proof  # much to import, and `stepscript --help` loads every command

    chosen = (_known(package),) if package else packages()
    with Proof(*chosen) as proof, _progress(err()) as tell:
        findings = []
        for finding in proof.findings(tell):
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


def _known(package: str) -> str:
    try:
        search(package)
    except DiscoveryError as error:
        raise DiscoveryError(f"{error}. {instead(package, packages())}") from None
    return package


@contextmanager
def _progress(screen: Screen) -> Iterator[Callable[[str], None]]:
    """Shows what is being tried, where somebody may be watching."""
    if not screen.colours:
        yield lambda _: None
        return
    with screen.console().status("") as status:
        yield lambda text: status.update(text)
