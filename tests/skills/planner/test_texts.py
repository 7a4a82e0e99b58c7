"""What the planner's texts must hold, whatever they say: their sections, the commands that they show, their examples."""

import shutil
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest

from lib.workflow.ast.nodes import Text
from lib.workflow.ast.parse import parse
from lib.workflow.ast.visitor import walk
from lib.workflow.command import Command, flags
from lib.workflow.slots import slots_in
from lib.workflow.testing.inprocess import run_here
from lib.workflow.testing.shown import commands_in
from skills.planner.agents.wave_slots import TEMPORAL, WAVE_FACTS
from skills.planner.modules import EXECUTOR, PLAN, PLANNER, QR, RESUME
from skills.planner.next_step import STEPS, WAVE_STEPS, Block
from skills.planner.phases import IMPL_CODE, PLANNING, RECONCILE, ROWS, Part, Row
from skills.planner.review.rounds import approve, let_pass
from skills.planner.schema.phase import Phase
from skills.planner.staging import TASK, begin
from skills.planner.state.files import PLAN_FILE
from skills.planner.state.reviews import load_qr_state
from skills.planner.state.run_state import RunState
from skills.planner.texts import categories, for_phase, sections
from tests.subjects import PROOF

SECTIONS = {
    "orchestrator": ("plan-init", "context-verify", *Block),
    "executor": ("exec-init", "wave-next"),
    "reconcile": ("list", "look", "judge", "report"),
    "router": ("route",),
    "fix": ("read", "mend", "validate"),
    "fix-impl": ("read", "mend", "validate"),
    "decompose": ("absorb", "concerns", "enumerate", "gaps", "items", "atomicity", "coverage", "finalize"),
    "verify": ("verify", "reply"),
}
EXECUTIONS = {"plan-design": 6, "plan-code": 4, "plan-docs": 6, "impl-code": 4, "impl-docs": 6}
BY_PHASE = ("concerns", "enumerate", "items", "coverage", "mend")
STATUS = {"qr_status": "fail"}
MAX_WORDS = 400
COMMANDS = (PLAN, QR, RESUME, TEMPORAL)
FINDS = {TEMPORAL: (0, 1)}
"""Exit statuses of commands that say by them what they have found."""


def shown(module: str, step: str, state_dir: str) -> Iterator[tuple[Command, str]]:
    """The commands that a page shows, each with what it is given on standard input."""
    workflow = PROOF.targets.workflows[module]
    number = [*workflow.steps].index(step) + 1
    status = STATUS if step.endswith(Block.ROUTE) else {}
    printed = run_here(Command(module, flags({"step": number, "state_dir": state_dir, **status}))).out
    text = "\n".join(node.value for node in walk(parse(printed)) if isinstance(node, Text))
    return commands_in(text)


def staged(module: str, step: str, state_dir: str) -> Iterator[tuple[Command, str]]:
    """The commands of a page in a state in which its step is due."""
    Path(state_dir).mkdir()
    begin(PROOF.targets.workflows[module], step, state_dir)
    return shown(module, step, state_dir)


def run_through(row: Row, part: Part, step: str, state_dir: str, executed: dict[Phase, str]) -> None:
    """Runs each command of a page of a phase on the plan that its execution made."""
    for command, given in [*staged(row.module(part), step, state_dir)]:
        if row in PLANNING:
            shutil.copy(Path(executed[row.phase], PLAN_FILE), state_dir)
        elif part is Part.FIX:
            Path(state_dir, "src").mkdir(exist_ok=True)
            Path(state_dir, "src", "api.py").write_text("LIMIT = 10\n", encoding="utf-8")
        do(command, given)


def do(command: Command, given: str = "") -> None:
    """Runs a command as it stands, the finding that it names written before."""
    if "--finding-file" in command.words:
        Path(command.words[-1]).write_text("M-001 names no test.", encoding="utf-8")
    assert command.module in COMMANDS
    ran = run_here(command, given)
    assert ran.status in FINDS.get(command.module, (0,)), f"{command}\n{ran.out}{ran.errors}"


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> dict[Phase, str]:
    """The states after each phase, made by nothing but the commands that the pages show, in their order."""
    folder = tmp_path_factory.mktemp("texts")
    state_dir, project = str(folder / "it's a $run é"), folder / "project"
    (project / "src").mkdir(parents=True)
    (project / "src" / "api.py").write_text("def handle(request):\n    return answer(request)\n", encoding="utf-8")
    with chdir(project):
        assert run_here(Command(PLANNER, flags({"step": 1, "task": TASK, "state_dir": state_dir}))).status == 0
    for command, given in shown(PLANNER, "context-verify", state_dir):
        do(command, given)
    states: dict[Phase, str] = {}
    for row in ROWS:
        if row is IMPL_CODE:
            assert run_here(Command(EXECUTOR, flags({"step": 1, "state_dir": state_dir}))).status == 0
        module = row.module(Part.EXECUTE)
        for step in PROOF.targets.workflows[module].steps:
            for command, given in shown(module, step, state_dir):
                do(command, given)
        states[row.phase] = f"{state_dir} {row.phase}"
        shutil.copytree(state_dir, states[row.phase])
        let_pass(RunState(state_dir), row)
        if row is PLANNING[-1]:
            approve(RunState(state_dir), row)
    return states


@pytest.mark.parametrize("name", SECTIONS)
def test_a_shared_file_has_the_steps_that_the_code_asks_for(name: str) -> None:
    assert tuple(sections(name)) == SECTIONS[name]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.phase)
def test_a_phase_has_its_execution_its_parts_and_its_categories(row: Row) -> None:
    assert len(sections(f"{row.phase}-execute")) == EXECUTIONS[row.phase]
    assert tuple(name for name in sections(row.phase) if not name.startswith("category-")) == BY_PHASE
    assert categories(row.phase)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.phase)
def test_a_text_is_short_enough_to_be_obeyed(row: Row) -> None:
    shared = [prompt for name in SECTIONS for prompt in for_phase(name, row.phase).values()]
    prompts = [*sections(f"{row.phase}-execute").values(), *shared]
    assert not [prompt.title for prompt in prompts if len(prompt.text.split()) > MAX_WORDS]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.phase)
def test_what_a_verifier_is_told_of_a_category_has_no_slot_that_nobody_fills(row: Row) -> None:
    slots = {slot for text in categories(row.phase).values() for slot in slots_in([Text(text)])}
    assert slots <= WAVE_FACTS.keys()


def test_the_commands_of_the_execution_pages_make_a_plan_that_is_handed_in(executed: dict[Phase, str]) -> None:
    for phase, state_dir in executed.items():
        assert RunState(state_dir).run.submitted(phase, 1)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.phase)
@pytest.mark.parametrize("step", SECTIONS["fix"])
def test_each_command_of_a_repair_runs_on_the_plan_that_its_phase_made(
    executed: dict[Phase, str], row: Row, step: str, tmp_path: Path
) -> None:
    run_through(row, Part.FIX, step, str(tmp_path / "run"), executed)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.phase)
@pytest.mark.parametrize("step", SECTIONS["decompose"])
def test_each_command_of_a_decomposition_runs_on_the_plan_that_its_phase_made(
    executed: dict[Phase, str], row: Row, step: str, tmp_path: Path
) -> None:
    state_dir = str(tmp_path / "run")
    run_through(row, Part.DECOMPOSE, step, state_dir, executed)
    review = load_qr_state(state_dir, row.phase)
    assert (review is not None) is (step in ("coverage", "finalize"))
    if step == "coverage" and review:
        assert {item.category for item in review.items} <= categories(row.phase).keys()


@pytest.mark.parametrize(
    ("module", "step"),
    [
        *((PLANNER, step) for step in STEPS if step != "context-verify"),
        *((EXECUTOR, step) for step in WAVE_STEPS),
        *((RECONCILE, step) for step in SECTIONS["reconcile"]),
        *((row.module(Part.ROUTE), "route") for row in ROWS),
    ],
)
def test_each_other_command_runs_where_its_page_is_due(module: str, step: str, tmp_path: Path) -> None:
    for command, given in staged(module, step, str(tmp_path / "run")):
        do(command, given)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.phase)
def test_either_verdict_can_be_recorded_as_its_page_says(row: Row, tmp_path: Path) -> None:
    for number in (0, 1):
        do(*[*staged(row.module(Part.VERIFY), "verify", str(tmp_path / f"run {number}"))][number])
