"""Snapshots of hand-ins, by digest, in the folder `kept` of a run; and the developer's planned diffs.

A snapshot of a plan is `kept/DIGEST/plan.json`. A snapshot of a wave's files is a manifest with a line for each file,
and the files below `kept/DIGEST/files`. The manifest is written last, so a folder with one is complete.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from lib.workflow.codec import MAX_SIZE, codec
from lib.workflow.errors import RefusedError
from lib.workflow.state.files import PRIVATE, OddFileError, private_folder, replace_whole
from lib.workflow.state.run_dirs import check_unlinked
from lib.workflow.state.run_documents import database_of
from lib.workflow.util.digests import sha256

from ..phases import IMPL_CODE, PLAN_CODE, PhaseSpec
from ..schema.plan.document import Plan
from ..state.files import CONTEXT_FILE, KEPT, PLAN_FILE, digest_of
from ..state.frozen import folder_of
from .project_files import MAX_COPIED, Contents, content, file_links

if TYPE_CHECKING:
    from ..schema.context import Context
    from ..state.run_state import RunState

MANIFEST: Final = "manifest"
FILES: Final = "files"


def keep(state: "RunState", row: PhaseSpec) -> None:
    """Keep the planned diffs when plan-code passes, because plan-docs overwrites them. Raises RefusedError."""
    if row is PLAN_CODE:
        _write(state.state_dir, KEPT, _diffs(state.plan))


def keep_plan(state_dir: str, plan: Plan) -> str:
    """Keep a snapshot of a plan and return its digest. Raises RefusedError if it cannot be written."""
    return _keep_json(state_dir, PLAN_FILE, plan)


def keep_context(state_dir: str, context: "Context") -> str:
    """Keep a snapshot of the context and return its digest. Raises RefusedError if it cannot be written."""
    return _keep_json(state_dir, CONTEXT_FILE, context)


def kept_plan(state_dir: str, digest: str | None) -> Plan | None:
    """Return the plan that was kept under a digest; None if the snapshot is missing, or is another plan."""
    data = _held(state_dir, digest, PLAN_FILE, MAX_SIZE) if digest else None
    try:
        plan = codec(Plan).loads(data) if data is not None else None
    except ValueError:
        return None
    return plan if plan is not None and digest_of(plan) == digest else None


def keep_files(state_dir: str, contents: Contents) -> str:
    """Keep a snapshot of the files of a wave and return the digest of its manifest. Raises RefusedError."""
    manifest = "".join(f"{held.mark} {name}\n" for name, held in sorted(contents.items())).encode()
    digest = sha256(manifest).hexdigest()
    folder = folder_of(digest)
    if _held(state_dir, digest, MANIFEST) != manifest:
        copied = ((name, held.data) for name, held in contents.items() if held.data is not None)
        _write(state_dir, f"{folder}/{FILES}", copied)
        _write(state_dir, folder, [(MANIFEST, manifest)])
    return digest


def kept_marks(state_dir: str, digest: str | None) -> Mapping[str, str] | None:
    """Return the mark of each file that was kept under a digest, by its path; None if the snapshot is missing."""
    data = _held(state_dir, digest, MANIFEST) if digest else None
    if data is None:
        return None
    lines = (line.partition(" ") for line in data.decode().splitlines())
    return {name: mark for mark, _, name in lines}


def kept_file(state_dir: str, digest: str, name: str) -> bytes | None:
    """Return a file that was kept under a digest; None if it has no copy."""
    return _held(state_dir, digest, f"{FILES}/{name}")


def copies(state: "RunState") -> str | None:
    """Return the folder with the wave's files as their code review passed; None if no code was built in the wave."""
    gate = state.run.gate(IMPL_CODE.phase)
    if gate is None or gate.digest is None:
        return None
    name = f"{folder_of(gate.digest)}/{FILES}"
    folder, link = state.path(name), file_links(state.state_dir, f"{name}/")
    return folder if os.path.isdir(folder) and not link else None


def _keep_json(state_dir: str, name: str, value: "Plan | Context") -> str:
    digest, data = digest_of(value), codec(type(value)).dumps(value).encode() + b"\n"
    folder = folder_of(digest)
    if _held(state_dir, digest, name, MAX_SIZE) != data:
        _write(state_dir, folder, [(name, data)])
    return digest


def _held(state_dir: str, digest: str, name: str, limit: int = MAX_COPIED) -> bytes | None:
    """Return a file of a snapshot; None if it is missing, unreadable, or has more bytes than the limit."""
    database = database_of(state_dir)
    if database is None:
        return content(os.path.join(state_dir, folder_of(digest)), name, limit)
    try:
        return database.read(f"{folder_of(digest)}/{name}")
    except OSError:
        return None


def _diffs(plan: Plan) -> Iterator[tuple[str, bytes]]:
    for milestone in plan.milestones:
        for change in milestone.code_changes:
            yield f"{change.id}.diff", change.diff.encode()


def _write(state_dir: str, folder: str, files: Iterable[tuple[str, bytes]]) -> None:
    check_unlinked(state_dir)
    database = database_of(state_dir)
    try:
        _made(state_dir, f"{folder}/")
        for name, data in files:
            if database is not None:
                database.replace(f"{folder}/{name}", data)
            replace_whole(_made(state_dir, f"{folder}/{name}"), data, PRIVATE)
    except OSError as error:
        fix = "Make it a writable folder of the run with free space, and run the same command again."
        target = os.path.join(state_dir, folder)
        raise RefusedError(
            "unwritable-state", target, f"it cannot be written: {error.strerror or error}", fix
        ) from None


def _made(state_dir: str, name: str) -> str:
    """Return the path of a file of the run, and make its folder. Raises OddFileError if a link leads out of the run."""
    link = file_links(state_dir, name)
    if link:
        raise OddFileError(f"{link} is a symbolic link", link)
    path = os.path.join(state_dir, *name.split("/"))
    private_folder(os.path.dirname(path))
    return path
