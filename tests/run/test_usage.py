"""The tokens of a run: reported by the client, else estimated."""

from pathlib import Path

import pytest
from attrs import evolve

from lib.workflow.run.journal.journal import AGENTS, Entry, Event
from lib.workflow.run.journal.spec import Spec
from lib.workflow.run.spending.breakdown import as_data, by_agent, by_page, by_phase, by_step
from lib.workflow.run.spending.usage import TAIL, Usage, total, usages
from tests.run.test_envelope import envelope

SPEC = Spec(workflow="w", start="python -m skills.problem_analysis.analyze --step 1", agent="claude")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / AGENTS).mkdir()
    return tmp_path / AGENTS


def attempt(files: Path, name: str, prompt: int, out: int, errors: str = "") -> None:
    (files / f"{name}.prompt").write_text("x" * prompt)
    (files / f"{name}.out").write_text("x" * out)
    (files / f"{name}.errors").write_text(errors)


@pytest.mark.parametrize(
    ("errors", "usage"),
    [
        ("", Usage(attempts=1, estimated=13)),
        ("codex\nDone\ntokens used\n12,345\n", Usage(attempts=1, reported=12_345)),
        ("\x1b[2mtokens used: 7\x1b[0m\r\n", Usage(attempts=1, reported=7)),
        ("tokens used\n0\n", Usage(attempts=1, estimated=13)),
        ("tokens used\n5\nthen it failed", Usage(attempts=1, estimated=13)),
        (f"tokens used\n5{' ' * TAIL}", Usage(attempts=1, estimated=13)),
        (f"tokens used\n{'9' * 99}", Usage(attempts=1, estimated=13)),
    ],
    ids=["none", "codex", "older codex", "zero", "not at the end", "far from the end", "too large"],
)
def test_tokens_are_those_that_the_client_reports_else_estimated(files: Path, errors: str, usage: Usage) -> None:
    attempt(files, "1.1-1", 40, 10, errors)
    assert usages(str(files.parent)) == {"1.1": usage}


def test_price_is_added_up(files: Path) -> None:
    for name in ("1.1-1", "1.1-2"):
        attempt(files, name, 40, 0)
        (files / f"{name}.out").write_text(envelope("done", total_cost_usd=0.25))
    (found,) = usages(str(files.parent)).values()
    assert found == Usage(attempts=2, reported=20, dollars=0.5)
    assert found.as_data()["dollars"] == 0.5
    assert found.price == "$0.50"


def test_attempts_and_transcripts_of_an_agent_add_up(files: Path) -> None:
    attempt(files, "2.1-1", 40, 0)
    attempt(files, "2.1-2", 40, 8, "tokens used\n100\n")
    attempt(files, "2.1-3", 40, 8)
    (files / "2.1-1.3.transcript").write_text("x" * 400)
    assert usages(str(files.parent)) == {"2.1": Usage(attempts=3, reported=100, estimated=10 + 112)}


def test_simulated_agents_use_no_tokens(files: Path) -> None:
    (files / "1.1-1.1.transcript").write_text("x" * 400)
    assert total(usages(str(files.parent)).values()).tokens == 0


def test_folder_without_plain_files_has_no_tokens(files: Path, tmp_path: Path) -> None:
    (files / "1.1-1.prompt").symlink_to("/etc/passwd")
    assert usages(str(tmp_path)) == {}
    assert usages(str(tmp_path / "none")) == {}


def test_agents_count_for_the_step_that_launched_them(files: Path) -> None:
    for name in ("1.1-1", "1.2-1", "2.thinks-1", "2.thinks-2"):
        attempt(files, name, 4, 4)
    titles = {"1": "skill 1/2 Title", "2": "skill 2/2 plan-code: Title"}
    steps = [Entry(event=Event.STEP, key=key, who=title) for key, title in titles.items()]
    keys = ["1.1", "1.2", "2.thinks", "2.thinks"]
    launched = [Entry(event=Event.ATTEMPT, key=key, number=1, who="explore") for key in keys]
    agents = by_agent(str(files.parent), [*steps, *launched], SPEC)
    assert [each.key for each in agents] == ["1.1", "1.2", "2.thinks"]
    one = Usage(attempts=2, estimated=4)
    assert by_step(agents) == {"skill 1/2 Title": one, "skill 2/2 plan-code: Title": one}
    assert by_page(agents) == {("1", "skill 1/2 Title"): one, ("2", "skill 2/2 plan-code: Title"): one}
    assert by_phase(agents) == {"skill": one, "plan-code": one}
    assert as_data(agents)["tokens"] == 8


@pytest.mark.parametrize(
    ("agent", "chosen", "reports", "price"),
    [
        ("codex", "", False, "~$0.00"),
        ("codex", "", True, "$0.50"),
        ("gemini", "", False, ""),
        ("gemini,codex", "codex", False, "~$0.00"),
        ("gemini,codex", "gemini", False, ""),
    ],
    ids=["estimated", "reported", "no price", "second choice", "first choice"],
)
def test_price_is_estimated_for_a_client_in_the_settings(
    files: Path, agent: str, chosen: str, reports: bool, price: str
) -> None:
    attempt(files, "1.1-1", 400, 0)
    if reports:
        (files / "1.1-1.out").write_text(envelope("done", total_cost_usd=0.5))
    events = [Entry(event=Event.ATTEMPT, key="1.1", number=1, who="explore", text=chosen)]
    spec = evolve(SPEC, agent=agent, prices=("codex=12.5",))
    (found,) = by_agent(str(files.parent), events, spec)
    assert found.usage.price == price
    assert (found.usage.priced == pytest.approx(100 * 12.5 / 1e6)) is (price == "~$0.00")


@pytest.mark.parametrize("text", ["", "codex", "codex=", "codex=-1", "codex=nan", "a b=1", "codex=1e9", "x" * 200])
def test_price_that_is_no_number_of_dollars_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="CLIENT=DOLLARS"):
        evolve(SPEC, prices=(text,))
