"""Simulated models of the clients. Each wants one command run, and then ends."""

import json
import shlex
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TypeAlias

from attrs import Factory, define

from lib.workflow.command import Command

Json = Mapping[str, object]
OURS = str(Command("skills.deepthink.think", ("--step", "1")))
OTHERS = f"{shlex.quote(sys.executable)} -c \"open('trace', 'w')\""
STEP = "<step_header"
"""The start of a page of ours."""


KEY = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
"""The settings of a user of Gemini CLI with a key."""


def has_a_key(home: Path) -> None:
    """Write the settings to the home folder."""
    (home / ".gemini").mkdir(parents=True)
    (home / ".gemini" / "settings.json").write_text(json.dumps(KEY))


class Gemini:
    """The interface of Gemini ("Generate content")."""

    asks = ("gemini", "--model", "flash", "-p", "Go on")
    done = '"functionResponse"'

    def reached(self, home: Path, address: str) -> Mapping[str, str]:
        """Configure the client to reach the model, and return the environment that it needs."""
        return {"GOOGLE_GEMINI_BASE_URL": address, "GEMINI_API_KEY": "none"}

    def wants(self, command: str | None) -> Iterable[Json]:
        call = {"functionCall": {"name": "run_shell_command", "args": {"command": command}}}
        part = call if command else {"text": "done"}
        yield {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]}


class Claude:
    """The interface of Claude ("Streaming messages")."""

    asks = ("claude", "-p", "Go on")
    done = '"tool_result"'

    def reached(self, home: Path, address: str) -> Mapping[str, str]:
        """Configure the client as above."""
        return {"ANTHROPIC_BASE_URL": address, "ANTHROPIC_API_KEY": "none"}

    def wants(self, command: str | None) -> Iterable[Json]:
        usage = {"input_tokens": 1, "output_tokens": 1}
        start = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}}
        given = json.dumps({"command": command, "description": "Go on"})
        message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
        yield {"type": "message_start", "message": message}
        call = {"type": "input_json_delta", "partial_json": given}
        last = {"type": "text_delta", "text": "done"}
        begin = start if command else {"type": "text", "text": ""}
        yield {"type": "content_block_start", "index": 0, "content_block": begin}
        yield {"type": "content_block_delta", "index": 0, "delta": call if command else last}
        yield {"type": "content_block_stop", "index": 0}
        reason = {"stop_reason": "tool_use" if command else "end_turn", "stop_sequence": None}
        yield {"type": "message_delta", "delta": reason, "usage": usage}
        yield {"type": "message_stop"}


class Codex:
    """The interface of OpenAI ("Responses")."""

    asks = ("codex", "exec", "Go on")
    done = '"function_call_output"'

    def reached(self, home: Path, address: str) -> Mapping[str, str]:
        """Configure the client as above."""
        (home / ".codex").mkdir(parents=True, exist_ok=True)
        provider = f'name = "played"\nbase_url = "{address}"\nwire_api = "responses"\nenv_key = "PLAYED"\n'
        text = f'model_provider = "played"\n[model_providers.played]\n{provider}'
        (home / ".codex" / "config.toml").write_text(text)
        return {"PLAYED": "none"}

    def wants(self, command: str | None) -> Iterable[Json]:
        given = json.dumps({"cmd": command})
        call = {"type": "function_call", "id": "f", "call_id": "c", "name": "exec_command", "arguments": given}
        said = {"type": "message", "role": "assistant", "id": "m", "content": [{"type": "output_text", "text": "done"}]}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        yield {"type": "response.created", "response": {"id": "r"}}
        yield {"type": "response.output_item.done", "output_index": 0, "item": call if command else said}
        yield {"type": "response.completed", "response": {"id": "r", "usage": usage}}


class Chat:
    """The interface of OpenAI that many providers have ("Chat completions")."""

    done = '"role":"tool"'

    def wants(self, command: str | None) -> Iterable[Json]:
        head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        given = json.dumps({"command": command, "description": "Go on"})
        call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "bash", "arguments": given}}
        said = {"tool_calls": [call]} if command else {"content": "done"}
        yield {**head, "choices": [{"index": 0, "delta": {"role": "assistant", **said}, "finish_reason": None}]}
        reason = "tool_calls" if command else "stop"
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage}


class Copilot(Chat):
    """A custom provider ("copilot help providers")."""

    asks = ("copilot", "-p", "Go on")

    def reached(self, home: Path, address: str) -> Mapping[str, str]:
        """Configure the client as above."""
        return {"COPILOT_PROVIDER_BASE_URL": address, "COPILOT_PROVIDER_API_KEY": "none", "COPILOT_MODEL": "gpt-4"}


class OpenCode(Chat):
    """A custom provider ("Providers")."""

    asks = ("opencode", "run", "Go on")

    def reached(self, home: Path, address: str) -> Mapping[str, str]:
        """Configure the client as above. The user's permissions are wider than those of an agent of the driver."""
        options = {"baseURL": f"{address}/v1", "apiKey": "none"}
        played = {
            "npm": "@ai-sdk/openai-compatible",
            "options": options,
            "models": {"m": {"name": "m", "tool_call": True}},
        }
        models = {"model": "played/m", "small_model": "played/m"}
        settings = {"provider": {"played": played}, **models, "permission": {"bash": {"*": "allow"}}}
        (home / "opencode.json").write_text(json.dumps(settings))
        return {"OPENCODE_CONFIG": str(home / "opencode.json")}


Model: TypeAlias = Gemini | Claude | Codex | Copilot | OpenCode


@define
class Heard:
    """The requests that a model got, in order, and its address."""

    address: str = ""
    requests: list[str] = Factory(list)


@contextmanager
def listening(model: Model, command: str) -> Iterator[Heard]:
    """Serve the model, which wants the command run, during the block."""
    heard = Heard()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = self.rfile.read(int(self.headers["Content-Length"])).decode()
            heard.requests.append(request)
            said = model.wants(None if model.done in request else command)
            body = "".join(f"{_event(each)}data: {json.dumps(each)}\r\n\r\n" for each in said).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        heard.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield heard
        finally:
            server.shutdown()
            thread.join()


def _event(each: Json) -> str:
    return f"event: {each['type']}\r\n" if "type" in each else ""
