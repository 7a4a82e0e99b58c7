"""Repositories whose settings and attributes name programs, each of which leaves a witness if it is run."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

GIT: Final = shutil.which("git") or "git"
IDENTITY: Final = ("-c", "user.name=x", "-c", "user.email=x@example.org")
PROGRAMS: Final = (
    *("core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "core.gitProxy"),
    *("core.alternateRefsCommand", "diff.external", "gpg.program", "gpg.ssh.program", "credential.helper"),
    *("sequence.editor", "interactive.diffFilter", "pager.status", "pager.ls-files", "pager.config", "alias.status"),
    *("alias.ls-files", "trailer.x.command", "uploadpack.packObjectsHook", "mergetool.x.cmd", "difftool.x.cmd"),
    *("filter.trap.clean", "filter.trap.smudge", "filter.trap.process", "filter.odd.name.clean", "filter.trap x.clean"),
    *("diff.trap.command", "diff.trap.textconv", "merge.trap.driver", "remote.origin.uploadpack", "hook.trap.command"),
    *("remote.origin.receivepack", "remote.origin.vcs", "submodule.sub.update", "tar.trap.command", "web.browser"),
)
"""Settings of git that name a program."""
OTHERS: Final = {
    "filter.trap.required": "true",
    "hook.trap.event": "post-index-change",
    "remote.origin.url": "ext::sh -c",
    "remote.origin.promisor": "true",
    "extensions.partialClone": "origin",
    "core.repositoryformatversion": "1",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
    "status.submoduleSummary": "true",
    "submodule.recurse": "true",
    "core.untrackedCache": "true",
    "commit.gpgSign": "true",
    "credential.https://example.org.helper": "!true",
}
"""Settings that lead git to one of them."""
HOOKS: Final = (
    *("applypatch-msg", "commit-msg", "fsmonitor-watchman", "post-applypatch", "post-checkout", "post-commit"),
    *("post-index-change", "post-merge", "post-rewrite", "pre-applypatch", "pre-auto-gc", "pre-commit"),
    *("prepare-commit-msg", "proc-receive", "reference-transaction", "update"),
)
ATTRIBUTES: Final = "* filter=trap diff=trap merge=trap\n*.odd filter=odd.name\n*.blank filter=trap\\040x\n"


def git(folder: Path, *words: str) -> str:
    """Return the output of the user's git, called as the user would call it."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        [GIT, *IDENTITY, *words], cwd=folder, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout


class Trap:
    """A repository with a program in every setting of git. `sprung` has those that were run."""

    def __init__(self, folder: Path, outside: Path) -> None:
        self.folder, self.witnesses = folder, outside
        outside.mkdir(parents=True)
        folder.mkdir(parents=True, exist_ok=True)
        self._commit(folder)
        for name in ("within", "sub"):
            self._commit(folder / name)
        self._set(folder)
        self._set(folder / "within")
        self._hooks(folder)
        (folder / ".gitattributes").write_text(ATTRIBUTES)
        (folder / ".git" / "info" / "attributes").write_text(ATTRIBUTES)
        (folder / "within" / ".gitattributes").write_text(ATTRIBUTES)
        (folder / "included").write_text(f'[core]\n\tfsmonitor = "{self.program("included.fsmonitor")}"\n')
        git(folder, "config", "include.path", str(folder / "included"))
        for name in ("git", "sh.exe", "git.exe"):
            self._script(folder / name)
        os.utime(folder / "src" / "api.py", (1, 1))  # so that git must read the file

    @property
    def sprung(self) -> list[str]:
        """Return the names of the programs that were run."""
        return sorted(path.name for path in self.witnesses.iterdir())

    def program(self, name: str) -> str:
        """Return a command line that leaves a witness of this name."""
        witness = self.witnesses / name.replace("/", "-").replace(" ", "-")
        return f"touch {witness}; cat"

    def _commit(self, folder: Path) -> None:
        (folder / "src").mkdir(parents=True, exist_ok=True)
        git(folder, "init", "-q", "-b", "main")
        for name in ("src/api.py", "a.odd", "b.blank"):
            (folder / name).write_text("one\ntwo\n")
        git(folder, "add", "src", "a.odd", "b.blank")
        git(folder, "commit", "-q", "-m", "Begin")

    def _set(self, folder: Path) -> None:
        with (folder / ".git" / "config").open("a") as file:  # a hundred calls of `git config` take long
            for name, value in self._settings():
                section, _, rest = name.partition(".")
                within, _, key = rest.rpartition(".")
                heading = f'{section} "{within}"' if within else section
                quoted = value.replace("\\", "\\\\").replace('"', '\\"')
                file.write(f'[{heading}]\n\t{key} = "{quoted}"\n')

    def _settings(self) -> Iterator[tuple[str, str]]:
        yield from OTHERS.items()
        for name in PROGRAMS:
            command = self.program(name)
            yield name, f"!{command}" if name.startswith(("alias", "credential", "submodule")) else command

    def _hooks(self, folder: Path) -> None:
        """Write hooks to git's default folder, and to that of `core.hooksPath`."""
        git(folder, "config", "--file", str(folder / ".git" / "config"), "core.hooksPath", str(folder / "hooks"))
        for place in (folder / "hooks", folder / ".git" / "hooks"):
            place.mkdir(exist_ok=True)
            for name in HOOKS:
                self._script(place / name)

    def _script(self, path: Path) -> None:
        path.write_text(f"#!/bin/sh\n{self.program(f'script-{path.name}')} > /dev/null\n")
        path.chmod(0o755)
