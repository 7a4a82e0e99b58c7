"""git in a folder, without programs that the repository's settings or attributes name.

A repository can name programs: filters, hooks, a file system monitor, drivers of diffs, a pager, the transport for a
missing object. All are switched off. git's own guard stays on: it refuses a repository of another user. No environment
variable points git elsewhere.
"""

import os
import subprocess
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import IO, Final, NamedTuple

from ..errors import UsageError
from ..util.search_path import which

HARMLESS: Final = (
    *("--no-pager", "-c", f"core.hooksPath={os.devnull}", "-c", f"core.attributesFile={os.devnull}"),
    *("-c", "core.fsmonitor=false", "-c", "core.sshCommand=false", "-c", "core.askPass=false", "-c", "diff.external="),
    *("-c", "core.pager=cat", "-c", "credential.helper=", "-c", "protocol.allow=never", "-c", "gpg.program=false"),
    *("-c", "core.editor=:", "-c", "sequence.editor=:", "-c", "maintenance.auto=false", "-c", "gc.auto=0"),
    *("-c", "submodule.recurse=false", "-c", "status.submoduleSummary=false", "-c", "safe.bareRepository=explicit"),
)
"""Settings with fixed names that could run a program, all replaced."""
NO_FILTER: Final = {"clean": "", "smudge": "", "process": "", "required": "false"}
"""Settings of a filter, whose name the repository chooses; an empty command leaves a file unchanged."""
QUESTIONS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "add": (),
        "check-attr": (),
        "check-ignore": (),
        "commit": ("--no-verify", "--no-gpg-sign"),
        "commit-tree": (),
        "diff": ("--no-ext-diff", "--no-textconv"),
        "for-each-ref": (),
        "index-pack": (),
        "init": (),
        "log": ("--no-ext-diff", "--no-textconv"),
        "ls-files": (),
        "merge-tree": (),
        "pack-objects": (),
        "read-tree": (),
        "rebase": (),
        "reset": (),
        "rev-list": (),
        "rev-parse": (),
        "status": ("--ignore-submodules=dirty",),
        "symbolic-ref": (),
        "tag": ("--no-sign",),
        "update-index": (),
        "update-ref": (),
        "var": (),
        "worktree": (),
        "write-tree": (),
    }
)
"""Allowed git commands, with the options that keep git from running diff drivers, or itself in nested repositories."""
ALONE: Final = {
    "GIT_ALLOW_PROTOCOL": "none",  # a missing object would be fetched by a program that the repository names
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
TIME: Final = 60
"""Maximum seconds for one answer of git."""


class Said(NamedTuple):
    """The output of git."""

    status: int
    out: str
    errors: str


def repository(folder: str) -> str | None:
    """Return the root of the repository around a folder, or None."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def listed(folder: str, *options: str) -> tuple[str, ...]:
    """Return every path below a folder that git does not ignore, committed or not; a nested repository ends with `/`.

    Raises UsageError if git cannot list them.
    """
    said = asked(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard", options=options)
    if said.status:
        raise UsageError(
            f"git cannot list the files of {folder!r:.200}: {said.errors.strip():.300}; name a folder in a repository"
        )
    return tuple(dict.fromkeys(filter(None, said.out.split("\0"))))


def asked(folder: str, question: str, *words: str, options: Sequence[str] = (), given: str = "") -> Said:
    """Run `ask_git`, for callers that need its answer: its errors become UsageError."""
    try:
        return ask_git(folder, question, *words, options=options, given=given, seconds=TIME)
    except FileNotFoundError:
        raise UsageError("git is not installed; install it: it lists the files that are not ignored") from None
    except subprocess.TimeoutExpired:
        raise UsageError(
            f"git did not finish within {TIME} seconds in {folder!r:.200}; name a smaller folder"
        ) from None
    except OSError as error:
        raise UsageError(f"git cannot read {folder!r:.200}: {error.strerror}") from None


def ask_git(
    folder: str,
    question: str,
    *words: str,
    options: Sequence[str] = (),
    given: str | IO[bytes] = "",
    out: IO[bytes] | None = None,
    seconds: float = TIME,
) -> Said:
    """Run a git command in a folder; paths in its output are as `os.fsdecode` gives them.

    Variables that git sets for hooks (GIT_DIR, GIT_INDEX_FILE) are ignored.

    Args:
        folder: Working directory of git.
        question: A git command, one of QUESTIONS.
        words: Its arguments.
        options: Options of git itself. Without any, the work tree is always the folder that holds `.git`.
        given: Text on standard input, or a file with it.
        out: A file for its standard output; None to return that.
        seconds: Maximum duration of each of two processes.

    Raises:
        ValueError: If the command may run programs.
        FileNotFoundError: If git or the folder does not exist.
        subprocess.TimeoutExpired: If an answer takes longer than `seconds`.
    """
    if question not in QUESTIONS:
        raise ValueError(
            f"git {question!r:.60} may run a program that a repository names; use one of {', '.join(QUESTIONS)}"
        )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | ALONE
    names = _run(folder, (*HARMLESS, *options, "config", "--list", "--name-only", "-z"), environment, "", seconds)
    try:
        off = _without_filters(names.out.split("\0"))
    except ValueError as error:
        return Said(1, "", str(error))
    here = options or _work_tree(folder, question)
    whole = (*HARMLESS, *off, *here, question, *QUESTIONS[question], *words)
    return _run(folder, whole, environment, given, seconds, out)


def ask_git_apart(folder: str, *words: str, given: str = "", seconds: float = TIME) -> Said:
    """Run git on the files of a folder as if they belonged to no repository, without any settings.

    Raises the errors of `ask_git`.
    """
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TMPDIR") if name in os.environ}
    nothing = {"GIT_DIR": os.devnull, "HOME": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    return _run(folder, (*HARMLESS, "-c", "core.autocrlf=false", *words), {**kept, **ALONE, **nothing}, given, seconds)


def _work_tree(folder: str, question: str) -> tuple[str, ...]:
    """Return the option that fixes the work tree, because the repository may name another folder."""
    root = repository(os.path.abspath(folder)) if question != "init" else None
    return ("--work-tree", root) if root else ()


def _without_filters(names: Sequence[str]) -> tuple[str, ...]:
    """Return the options that switch off every filter and merge driver among these settings.

    Raises ValueError for a name that a command line cannot express.
    """
    filters = dict.fromkeys(name.rpartition(".")[0] for name in names if name.startswith("filter."))
    drivers = [name for name in names if name.startswith("merge.") and name.endswith(".driver")]
    odd = next((name for name in (*filters, *drivers) if "=" in name), None)
    if odd is not None:
        raise ValueError(f"git was not run: its settings name a filter with `=`, {odd!r:.80}; rename the filter")
    settings = [f"{name}.{key}={value}" for name in filters for key, value in NO_FILTER.items()]
    settings += (f"{name}=false" for name in drivers)
    return tuple(word for setting in settings for word in ("-c", setting))


def _run(
    folder: str,
    words: Sequence[str],
    environment: Mapping[str, str],
    given: str | IO[bytes],
    seconds: float,
    out: IO[bytes] | None = None,
) -> Said:
    program = which("git")
    if program is None:
        raise FileNotFoundError("git is not installed")
    done = subprocess.run(
        [program, *words],
        check=False,
        cwd=folder,
        env=environment,
        input=os.fsencode(given) if isinstance(given, str) else None,
        stdin=None if isinstance(given, str) else given,
        stdout=subprocess.PIPE if out is None else out,
        stderr=subprocess.PIPE,
        timeout=seconds,
    )
    return Said(done.returncode, os.fsdecode(done.stdout or b""), os.fsdecode(done.stderr))
