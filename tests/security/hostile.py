"""A repository with runs, a key, links and git settings, all made so that a look at them would do harm."""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final
from unittest.mock import patch

from attrs import evolve

from lib.workflow.app.main import main
from lib.workflow.codec import codec
from lib.workflow.run.engine import Spec, entries, spec_of
from lib.workflow.run.journal.journal import Entry, Event, line_of
from lib.workflow.run.temporal.host_record import Record, write_record
from lib.workflow.run.temporal.place import id_of
from skills.incoherence.staging import begin as begin_incoherence
from skills.planner.modules import EXECUTOR, PLANNER
from skills.planner.next_step import WAVE_NEXT
from skills.planner.schema.plan.document import Plan
from skills.planner.schema.run import Run
from skills.planner.staging import PLAN
from skills.planner.staging import begin as begin_planner
from skills.planner.state.files import change_run, digest_of, plan_store, run_store
from tests.security.repositories import Trap
from tests.subjects import PROOF

PLANNER_RUNS: Final = ("checks", "proc", "elsewhere", "planning", "asking-user", "finished")
DRIVEN_RUNS: Final = ("driven", "waiting", "served", "both")
NAMES: Final = (*PLANNER_RUNS, "incoherent", *DRIVEN_RUNS)


def name_of(kind: str) -> str:
    """Return the name of a run's folder, in the product's format."""
    return f"0101-{NAMES.index(kind):04x}"


class Listener:
    """A server that accepts connections, counts them and sends nothing."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._socket.getsockname()[1]}"
        self.connections = 0
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        with ExitStack() as kept:
            while True:
                try:
                    kept.enter_context(self._socket.accept()[0])
                except OSError:
                    return
                self.connections += 1

    def close(self) -> None:
        """Accept no more connections."""
        self._socket.close()


class Hostile:
    """The repository. `sprung` has its programs that were run, and `listener` the connections."""

    def __init__(self, folder: Path, listener: Listener) -> None:
        self.listener = listener
        self.outside = folder / "outside"
        self.outside.mkdir(parents=True)
        (self.outside / "secret").write_text("secret\n")
        self.folder = folder / "repository"
        self.trap = Trap(self.folder, folder / "witnesses")
        self.runs = self.folder / ".stepscript" / "runs"
        self.runs.mkdir(parents=True)
        (self.folder / "docs").symlink_to(self.outside)
        with self._its_own_user():
            for kind in PLANNER_RUNS:
                self._plan(kind)
            begin_incoherence("ask", str(self._made("incoherent")))
            for kind in DRIVEN_RUNS:
                self._drive(kind)
        self._odd()

    @property
    def sprung(self) -> list[str]:
        """Return the names of the programs that were run."""
        return self.trap.sprung

    def run(self, kind: str) -> Path:
        """Return the folder of a run."""
        return self.runs / name_of(kind)

    def _made(self, kind: str) -> Path:
        self.run(kind).mkdir()
        return self.run(kind)

    @contextmanager
    def _its_own_user(self) -> Iterator[None]:
        """Act as another user, whose key is where a user without a home folder would look in the repository."""
        before = os.getcwd()
        os.chdir(self.folder)
        with patch.dict(os.environ, {"XDG_STATE_HOME": str(self.folder / "~" / ".local" / "state")}):
            try:
                yield
            finally:
                os.chdir(before)

    def _plan(self, kind: str) -> None:
        folder = str(self._made(kind))
        step = {"planning": "plan-design-work", "asking-user": "plan-design-qr-route"}.get(kind, WAVE_NEXT)
        workflow = PROOF.targets.workflows[EXECUTOR if step == WAVE_NEXT else PLANNER]
        begin_planner(workflow, step, folder)
        plan = self._checked(kind)
        plan_store(folder).change(lambda _: (plan, None))
        change_run(folder, self._ready(kind, plan))

    def _checked(self, kind: str) -> Plan:
        test = f"command:sh -c 'touch {self.trap.witnesses}/check-{kind}'"
        return evolve(PLAN, milestones=(evolve(PLAN.milestones[0], tests=(test,)), *PLAN.milestones[1:]))

    def _ready(self, kind: str, plan: Plan) -> Callable[[Run], Run]:
        """Return the repository's change of a run: another project, and due checks if a wave is built."""
        roots = {"proc": "/proc/self/cwd", "elsewhere": str(self.outside)}

        def ready(run: Run) -> Run:
            building = run.building and evolve(run.building, lap=1)
            gates = tuple(evolve(gate, lap=1) for gate in run.gates)
            made = evolve(
                run, project_root=roots.get(kind, str(self.folder)), building=building, gates=gates, checks=()
            )
            return evolve(made, approval=run.approval and digest_of(plan), finished=kind == "finished")

        return ready

    def _drive(self, kind: str) -> None:
        folder = self._made(kind)
        words = ["--set", f"state_dir={folder}"] if kind == "both" else []
        agent = ("--agent", "sh -c 'exit 1'", "--attempts", "1")
        if kind == "both":
            begin_planner(PROOF.targets.workflows[PLANNER], "plan-init", str(folder))
            main(["run", "planner", "x", *agent, *words])
        else:
            self.run(kind).rmdir()
            before = set(self.runs.iterdir())
            main(["run", "problem-analysis", "x", *agent])
            (made,) = {*self.runs.iterdir()} - before
            made.rename(folder)
        self._armed(kind, folder / "driver")

    def _armed(self, kind: str, driver: Path) -> None:
        """Put an agent that leaves a witness into the journal, or replace the journal by a record with a server."""
        past = entries(str(driver))
        spec = evolve(spec_of(str(driver), past), agent=f"sh -c 'touch {self.trap.witnesses}/agent-{kind}'")
        if kind == "served":
            (driver / "journal.jsonl").unlink()
            self._serve(driver, spec)
            return
        kept = past[1:] if kind != "driven" else tuple(each for each in past[1:] if each.event is not Event.ASKED)
        lines = (line_of(Entry(event=Event.BEGUN, text=codec(Spec).dumps(spec), number=1)), *map(line_of, kept))
        (driver / "journal.jsonl").write_text("\n".join((*lines, "")))

    def _serve(self, driver: Path, spec: Spec) -> None:
        record = Record(
            id=id_of("any", str(driver)),
            queue="any",
            root=str(self.folder),
            spec=spec,
            address=self.listener.address,
            namespace="default",
        )
        write_record(str(driver), record)

    def _odd(self) -> None:
        """Make folders that block their readers."""
        for name, make in ODD.items():
            folder = self.runs / name
            folder.mkdir()
            for file in ("run.json", "plan.json", "incoherence.json", "begun-here"):
                make(folder / file)
        (self.runs / "linked").symlink_to(self.outside)
        (self.runs / "a\x1b[31m\nname").mkdir()


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _socket(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # the name of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def hole(path: Path) -> None:
    """Make a file of 8 GiB that takes no disk space."""
    path.touch()
    os.truncate(path, 1 << 33)


ODD: Final[dict[str, Callable[[Path], None]]] = {
    "pipes": os.mkfifo,
    "endless": _endless,
    "folders": Path.mkdir,
    "sockets": _socket,
    "holes": hole,
}


def recorded(run: Path) -> Run:
    """Return the record of a run of the planner."""
    return run_store(str(run)).load()
