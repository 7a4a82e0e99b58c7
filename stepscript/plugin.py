"""The pytest plugin: `stepscript_packages = "my_skills"` in a `conftest.py` adds the proof of a package as tests.

Nothing of `lib` is imported until a project asks for the proof, because it may have its own `lib`.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import pytest

from .names import graft

if TYPE_CHECKING:
    from lib.workflow.testing.findings import Finding
    from lib.workflow.testing.proof import Proof

LINE: Final = "stepscript_packages"
"""Name in a `conftest.py` that holds the packages whose workflows are to be proved."""
OWN: Final = "project_skills"
"""The package that is made of a project's own skills."""
_PROOFS: Final = pytest.StashKey[list["Proof"]]()
_TOLD: Final = pytest.StashKey[Sequence[str]]()


class _Worker(Protocol):
    """A process of pytest-xdist, if that is used."""

    config: pytest.Config


def pytest_plugin_registered(plugin: object) -> None:
    """Make a project's own skills importable, if a `conftest.py` names them.

    Raises:
        pytest.UsageError: If the user has not agreed to them as they are now.
    """
    if os.path.basename(getattr(plugin, "__file__", None) or "") != "conftest.py" or OWN not in _named(plugin):
        return

    graft()
    from lib.workflow.state.own_skills import admitted, pending, project

    if not admitted() and (reason := pending(project())):
        raise pytest.UsageError(reason)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Return the proof of a `conftest.py` that names packages."""
    if file_path.name != "conftest.py":
        return None
    for plugin in parent.config.pluginmanager.get_plugins():
        if getattr(plugin, "__file__", None) == str(file_path) and hasattr(plugin, LINE):
            collector: ProofFile = ProofFile.from_parent(parent, path=file_path)
            collector.packages = _named(plugin)
            return collector
    return None


def _named(plugin: object) -> tuple[str, ...]:
    packages = getattr(plugin, LINE, ())
    return (packages,) if isinstance(packages, str) else tuple(packages)


class ProofFile(pytest.File):
    """The tests of one proof."""

    packages: tuple[str, ...] = ()

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a test for each package, valid call, walk and command."""
        graft()
        from lib.workflow.testing.proof import proof_of

        proof = proof_of(*self.packages)
        self.config.stash.setdefault(_PROOFS, []).append(proof)
        yield self._item(f"{', '.join(self.packages)} can be used", proof.of_packages)
        for cases in proof.cases.values():
            for case in cases:
                yield self._item(case.id, partial(proof.of_case, case))
        for name in proof.walks:
            yield self._item(f"walk[{name}]", partial(proof.of_walk, name))
        for command in proof.commands:
            yield self._item(f"run[{proof.stage.shown(command)}]", partial(proof.of_run, command))

    def _item(self, name: str, findings: "Callable[[], Sequence[Finding]]") -> "ProofItem":
        item: ProofItem = ProofItem.from_parent(self, name=name)
        item.findings = findings
        return item


class ProofItem(pytest.Item):
    """One test of a proof; it fails with its findings."""

    findings: "Callable[[], Sequence[Finding]]"

    def runtest(self) -> None:
        """Raise FoundError if there are findings."""
        found = self.findings()
        if found:
            raise FoundError(found)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        """Return the findings, one per line; a fault of the proof itself with its traceback."""
        if isinstance(excinfo.value, FoundError):
            return str(excinfo.value)
        return str(excinfo.getrepr())

    def reportinfo(self) -> tuple[os.PathLike[str], None, str]:
        """Return its location, for reports."""
        return self.path, None, self.name


class FoundError(Exception):
    """Raised with the findings of a proof."""

    def __init__(self, findings: "Iterable[Finding]") -> None:
        super().__init__("\n".join(map(str, findings)))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send counts from a worker of pytest-xdist to the process that prints the summary."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[LINE] = _counts(session.config)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: _Worker) -> None:
    """Take the counts of one worker, because every worker has collected everything."""
    node.config.stash[_TOLD] = getattr(node, "workeroutput", {}).get(LINE, ())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print how much was tried."""
    for line in config.stash.get(_TOLD, ()) or _counts(config):
        terminalreporter.write_line(line)


def _counts(config: pytest.Config) -> list[str]:
    proofs = config.stash.get(_PROOFS, [])
    return [f"stepscript proof of {', '.join(proof.packages)}: {proof.counts}" for proof in proofs]
