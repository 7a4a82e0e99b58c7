"""A rehearsal without a seed takes the longest way."""

import json
from collections import Counter
from pathlib import Path

import pytest

from lib.workflow.app.main import main
from lib.workflow.app.skills.start_commands import starts_by_hand
from lib.workflow.discovery import Found, search
from lib.workflow.graph.data import graph_of
from lib.workflow.testing.stage import beside

Captured = pytest.CaptureFixture[str]
BY_HAND = filter(starts_by_hand, search("skills")[0])
SIMPLE = [found for found in BY_HAND if not beside(found.workflow.module, "rehearsal")]


@pytest.mark.parametrize("found", SIMPLE, ids=lambda found: found.workflow.name)
def test_default_rehearsal_shows_loops_agents_and_a_question(
    found: Found, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["rehearse", found.workflow.name, "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    steps = [event for event in events if event["event"] == "step"]
    visits = Counter(event["who"] for event in steps)
    graph = graph_of(found.workflow)
    assert len(visits) >= found.workflow.total_steps - 1  # two modes may exclude each other
    assert (max(visits.values()) > 1) is any(edge.source == edge.target for edge in graph.edges)
    launches = any("<parallel_dispatch" in event["text"] for event in steps)
    assert any(event["event"] == "asked" for event in events) is launches
    assert any(event["event"] == "attempt" and event["who"] != "orchestrator" for event in events) is launches


def test_seed_chooses_another_way_and_the_same_one_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    ways = []
    for seed in (1, 1, *range(2, 12)):
        assert main(["rehearse", "problem-analysis", "--seed", str(seed), "--json"]) == 0
        events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        ways.append([event["who"] for event in events if event["event"] == "step"])
    assert ways[0] == ways[1]
    assert len(set(map(tuple, ways))) > 1
