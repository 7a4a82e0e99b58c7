"""Replies that Claude Code prints as JSON, with their tokens and their price."""

import json
from pathlib import Path

import pytest

from lib.workflow.run.clients.envelope import Envelope, opened
from lib.workflow.run.clients.results import reply_of
from lib.workflow.run.processes.kept import Files, Over

RECORDED = (
    '{"duration_api_ms":69,"stop_reason":"end_turn","session_id":"29be0fc8","total_cost_usd":0.000047999999999999994,'
    '"usage":{"input_tokens":2,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":2,'
    '"service_tier":"standard"},"modelUsage":{"claude-opus-5-5":{"inputTokens":2,"outputTokens":2,'
    '"cacheReadInputTokens":0,"cacheCreationInputTokens":0,"costUSD":0.000047999999999999994,"contextWindow":1000000}},'
    '"permission_denials":[],"is_error":false,"num_turns":2,"subtype":"success",'
    '"result":"  **PASS**\\n\\n\u2019 x\\ny \U0001f600  \\n\\n","type":"result","duration_ms":335}\n'
)
"""Output of Claude Code 2.1.332 with a local server that answers so; as text it prints `PRINTED`."""
PRINTED = "  **PASS**\n\n\u2019 x\ny \U0001f600  \n\n"


def envelope(text: str, **more: object) -> str:
    usage = {"input_tokens": 1, "output_tokens": 2, "cache_creation_input_tokens": 3, "cache_read_input_tokens": 4}
    return json.dumps({"type": "result", "session_id": "s", "result": text, "usage": usage, **more})


@pytest.mark.parametrize("text", [PRINTED, "\x1b[1mPASS\x1b[0m\r\n", "", '{"type": "result"}', "x" * 10_000])
def test_reply_is_the_same_as_json_and_as_text(text: str, tmp_path: Path) -> None:
    def read(out: str) -> str:
        path = tmp_path / "out"
        path.write_text(out, newline="")
        files = Files(given="", out=str(path), errors="")
        return reply_of(files, Over(status=0, out=path.stat().st_size, errors=0), "claude")

    assert read(envelope(text)) == read(text)
    assert read(RECORDED) == read(PRINTED)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "PASS",
        "{}",
        "[]",
        "{" * 10_000 + "}",
        '{"a":' * 10_000 + "1" + "}" * 10_000,
        '{"type": "result", "result": "PASS"}',
        '{"type": "result", "session_id": "s"}',
        '{"type": "result", "session_id": "s", "result": ["PASS"]}',
        f"Here it is: {envelope('PASS')}",
        f"{envelope('PASS')}\n{envelope('FAIL')}",
        f"[{envelope('PASS')}]",
    ],
)
def test_other_outputs_are_no_envelope(text: str) -> None:
    assert opened(text) is None


@pytest.mark.parametrize(
    ("more", "tokens", "dollars"),
    [
        ({}, 10, 0),
        ({"total_cost_usd": 1.5}, 10, 1.5),
        ({"total_cost_usd": 2}, 10, 2),
        ({"modelUsage": {"a": {"inputTokens": 5, "cacheReadInputTokens": 6}, "b": {"outputTokens": 7}}}, 18, 0),
        ({"modelUsage": {}}, 10, 0),
        ({"modelUsage": {"a": 3}, "usage": 3}, 0, 0),
        ({"usage": {"input_tokens": -1, "output_tokens": 10**15, "cache_read_input_tokens": True}}, 0, 0),
        ({"usage": {"input_tokens": "9", "output_tokens": 1.5}}, 0, 0),
        ({"usage": None, "total_cost_usd": float("nan")}, 0, 0),
        ({"usage": [], "total_cost_usd": float("inf")}, 0, 0),
        ({"total_cost_usd": -1}, 10, 0),
        ({"total_cost_usd": "1"}, 10, 0),
    ],
    ids=str,
)
def test_only_numbers_in_range_count(more: dict[str, object], tokens: int, dollars: float) -> None:
    assert opened(envelope("x", **more)) == Envelope(text="x", tokens=tokens, dollars=dollars)
