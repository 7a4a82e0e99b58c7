"""The clients of each role are read from options, and do the work of their role."""

import asyncio
from pathlib import Path

import pytest
from attrs import define, field

from lib.workflow.run.clients.agents import Agent, Attempt, CommandAgent, RoleAgents
from lib.workflow.run.clients.job import Job
from lib.workflow.run.clients.presets import CLIENTS, agents_of
from lib.workflow.run.clients.roles import NAMES, Choice, by_role, choices, role_of, spelled
from lib.workflow.run.journal.spec import Spec
from lib.workflow.types import AgentRole, Tier

DEVELOPER = AgentRole.DEVELOPER


def test_names_are_those_of_the_clients() -> None:
    assert set(NAMES) == set(CLIENTS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("claude", [("claude", "")]),
        ("codex,claude", [("codex", ""), ("claude", "")]),
        ("codex:o-9, claude:opus", [("codex", "o-9"), ("claude", "opus")]),
        ("opencode:openrouter/x.y:free", [("opencode", "openrouter/x.y:free")]),
        ("codex --unrestricted,claude", [("codex --unrestricted", ""), ("claude", "")]),
        ("my-agent --list a,b", [("my-agent --list a,b", "")]),
        ("claude -p, codex", [("claude -p, codex", "")]),
        ("claude,my-agent", [("claude,my-agent", "")]),
    ],
)
def test_clients_are_read_in_order_of_preference(text: str, expected: list[tuple[str, str]]) -> None:
    assert choices(text) == tuple(Choice(agent=agent, model=model) for agent, model in expected)


@pytest.mark.parametrize(
    ("agent", "agents", "says"),
    [
        ("claude", ["programmer=codex"], "roles: architect"),
        ("claude", ["developer=codex", "developer=claude"], "'developer=claude'"),
        ("claude", ["codex"], "ROLE=CLIENT"),
        ("claude,claude", [], "'claude,claude'"),
        ("codex:", [], "codex:MODEL"),
        ("codex:--yolo", [], "'--yolo'"),
        ("no-such-program", [], "'no-such-program'"),
        ("true:o-9", [], "'true:o-9'"),
    ],
)
def test_wrong_choice_is_refused(
    agent: str, agents: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lib.workflow.run.clients.presets.which", lambda name: name if name in NAMES else None)
    with pytest.raises(ValueError, match=says):
        agents_of(agent, agents, (), str(tmp_path), ["skills"])


def test_each_role_has_its_clients_and_their_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lib.workflow.run.clients.presets.which", lambda name: name)
    found = agents_of("claude", ["developer=codex:o-9,gemini"], ("fast=tiny",), None, ["skills"]).agents
    assert set(found) == {None, DEVELOPER}
    codex, gemini = found[DEVELOPER]
    assert isinstance(codex, CommandAgent)
    assert isinstance(gemini, CommandAgent)
    assert (codex.words[0], dict(codex.models)) == ("codex", dict.fromkeys(Tier, "o-9"))
    assert (gemini.words[0], gemini.models[Tier.FAST]) == ("gemini", "tiny")
    spec = Spec(workflow="x", start="python -m x", agent="claude", agents=("developer=codex:o-9,gemini",))
    assert spec.clients(DEVELOPER) == ("codex", "gemini")
    assert spec.clients(AgentRole.ARCHITECT) == ("claude",)
    assert Spec(workflow="x", start="python -m x", agent="/opt/my-agent -x").clients(DEVELOPER) == ("my-agent",)


def test_limits_are_lifted_for_every_client_of_an_option() -> None:
    lifted = spelled("developer=codex,claude:opus", lifted=True)
    role, rest = role_of(lifted)
    assert role is DEVELOPER
    assert [each.agent for each in choices(rest)] == ["codex --unrestricted", "claude --unrestricted"]
    assert spelled("codex", lifted=False) == "codex"
    assert by_role("claude", [lifted])[DEVELOPER][1].model == "opus"


def test_chosen_client_of_the_role_does_the_work(tmp_path: Path) -> None:
    @define
    class Named:
        name: str
        heard: list[int] = field(factory=list)

        async def work(self, attempt: Attempt) -> str:
            return self.name

    agents: dict[AgentRole | None, tuple[Agent, ...]] = {None: (Named("a"),), DEVELOPER: (Named("b"), Named("c"))}

    def said(role: AgentRole, choice: int) -> str:
        job = Job(key="1", role=role, prompt="")
        attempt = Attempt(job=job, number=1, folder=str(tmp_path), choice=choice)
        return asyncio.run(RoleAgents(agents).work(attempt))

    assert [said(AgentRole.EXPLORE, 0), said(DEVELOPER, 0), said(DEVELOPER, 1)] == ["a", "b", "c"]
