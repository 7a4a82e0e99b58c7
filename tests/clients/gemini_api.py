"""The interface that Gemini CLI asks for answers, played: the model wants one command run, and then has done."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from attrs import Factory, define


@define
class Model:
    """What was said to it; it listens at `address`."""

    command: str
    address: str = ""
    heard: list[str] = Factory(list)

    def answer(self, said: str) -> dict[str, object]:
        """A part of a reply."""
        self.heard.append(said)
        if '"functionResponse"' in said:
            return {"text": "done"}
        return {"functionCall": {"name": "run_shell_command", "args": {"command": self.command}}}


@contextmanager
def model(command: str) -> Iterator[Model]:
    """A model that wants the command run, while the block lasts."""
    played = Model(command)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            part = played.answer(self.rfile.read(int(self.headers["Content-Length"])).decode())
            reply = {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]}
            data = json.dumps(reply)
            body = (f"data: {data}\r\n\r\n" if "alt=sse" in self.path else data).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream" if "alt=sse" in self.path else "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        played.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield played
        finally:
            server.shutdown()
            thread.join()
