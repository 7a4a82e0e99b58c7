"""Known conditions of clients are recognised in their real outputs, and nothing else is."""

from datetime import UTC, datetime

import pytest

from lib.workflow.run.conditions.kinds import Condition, Course, Kind
from lib.workflow.run.conditions.reset_times import reset_time
from lib.workflow.run.conditions.signs import recognised
from tests.run.recorded_outputs import Recorded, recorded

NOW = datetime(2026, 11, 29, 21, tzinfo=UTC)
CLIENTS = ("claude", "codex", "gemini", "copilot", "opencode")


@pytest.mark.parametrize("each", recorded(), ids=str)
def test_condition_is_recognised_in_a_recorded_output(each: Recorded) -> None:
    sign = recognised((each.errors, each.out), each.client, NOW)
    assert sign is not None
    until = round(each.until.timestamp()) if each.until else 0
    assert sign.condition == Condition(kind=Kind(each.kind), client=each.client, until=until)


def test_each_client_has_an_output_for_the_conditions_that_all_have() -> None:
    shown = {(each.client, each.kind) for each in recorded()}
    every = (Kind.LOGIN, Kind.MODEL, Kind.LIMIT, Kind.OVERLOAD, Kind.CONTEXT, Kind.NETWORK)
    missing = {(client, kind) for client in CLIENTS for kind in every} - shown
    # neither ends: Codex waits for the network, OpenCode tries again for ever
    assert missing <= {("codex", Kind.NETWORK), ("opencode", Kind.OVERLOAD)}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Traceback (most recent call last):\nKeyError: 'x'",
        "Killed",
        '{"type":"assistant","message":{"content":[{"type":"text","text":"I check the usage limit of each user"}]}}',
        '{"type":"user","message":{"content":[{"type":"tool_result","content":"ECONNREFUSED"}]}}',
        '{"type":"rate_limit_event","rate_limit_info":{"status":"allowed","resetsAt":1796000000}}',
        "[1, 2]\n{}\n{not json}",
        f"{'[' * 5000}",
        f"{{{'[' * 5000}}}",
    ],
)
def test_other_output_shows_no_condition(text: str) -> None:
    assert recognised((text,), "claude", NOW) is None


def test_the_last_message_counts_and_standard_error_comes_first() -> None:
    texts = ("Error: fetch failed\nNot logged in\n\x1b[31m\n", "overloaded")
    sign = recognised(texts, "x", NOW)
    assert sign is not None
    assert (sign.condition.kind, sign.message, sign.source) == (Kind.LOGIN, "Not logged in", 0)


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("resets 3:45pm", "2026-11-30T15:45:00Z"),
        ("resets 9pm", "2026-11-29T21:00:00Z"),
        ("resets at 8:50 PM", "2026-11-29T20:50:00Z"),
        ("resets Jan 2, 1am (Europe/Paris)", "2027-01-02T00:00:00Z"),
        ("reset at 5pm (Europe/Warsaw)", "2026-11-30T16:00:00Z"),
        ("resets 5pm (Nowhere/Atall)", "2026-11-30T17:00:00Z"),
        ("try again at Dec 1st, 2026 8:19 PM.", "2026-12-01T20:19:00Z"),
        ("try again in 45 minutes", "2026-11-29T21:45:00Z"),
        ("Please retry in 34.07s", "2026-11-29T21:00:34Z"),
        ("Please retry in 900ms", ""),
        ('"resets_at":1796000000,', "2026-11-30T00:53:20Z"),
        ('"resets_in_seconds":602', "2026-11-29T21:10:02Z"),
        ("limit reached|1796000000", "2026-11-30T00:53:20Z"),
        ("limit reached|1896000000", ""),
        ("try again at Feb 31st, 2027 8:19 PM", ""),
        ("resets Foo 3, 1am", ""),
        ("resets 25:00", ""),
        ("try again later", ""),
        ("try again in 9999999 days", ""),
        ("1796000000", ""),
    ],
)
def test_end_of_a_limit_is_read_in_any_form_that_clients_use(text: str, until: str) -> None:
    expected = round(datetime.fromisoformat(until).timestamp()) if until else 0
    assert reset_time(text, NOW) == expected


def test_rate_that_is_free_again_soon_is_an_overload() -> None:
    kinds = [
        recognised((f"Rate limit reached. Please try again in {wait}.",), "codex", NOW) for wait in ("2s", "3 hours")
    ]
    assert [each.condition.kind for each in kinds if each] == [Kind.OVERLOAD, Kind.LIMIT]


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("client", [*CLIENTS, "my-agent"])
def test_each_condition_says_what_it_is_and_what_to_do(kind: Kind, client: str) -> None:
    condition = Condition(kind=kind, client=client)
    assert client in condition.sentence
    assert condition.fix
    assert "{" not in condition.sentence + condition.fix


def test_a_limit_without_a_known_end_is_a_question() -> None:
    assert Condition(kind=Kind.LIMIT, client="x").course is Course.ASK
    assert Condition(kind=Kind.LIMIT, client="x", until=1).course is Course.WAIT
