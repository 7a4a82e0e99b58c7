"""A client's program that misbehaves by chance, by the seed, its agent and its attempt; the answer depends on the agent.

Its words are the seed. It imports nothing of the project, so that it starts fast.
"""

import json
import os
import subprocess
import sys
import time
from random import Random

PRICE = 0.10
"""Dollars that each answer costs."""
CERTAIN = 4
"""Number of the first attempt that always answers."""


def main() -> int:
    """Read the prompt, then answer or fail."""
    name = os.path.basename(os.environ["STEPSCRIPT_TRANSCRIPT"]).removesuffix(".transcript")
    key, _, attempt = name.rpartition("-")
    number = int(attempt.rpartition(".")[2])
    random = Random(f"{sys.argv[1]}/{key}/{number}")
    sys.stdin.read()
    time.sleep(random.random() / 10)
    action = random.choice(("limit", "overload", "flood", "crash", "child", *["answer"] * 5))
    if number >= CERTAIN:
        action = "answer"
    if action == "limit":
        print(f"Claude AI usage limit reached|{int(time.time()) + 2}")
        return 1
    if action == "overload":
        print('API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}')
        return 1
    if action == "flood":
        sys.stdout.write("x" * 3_000_000)
        return 0
    if action == "crash":
        os.abort()
    if action == "child":
        subprocess.Popen(["/bin/sleep", "600"])
    reply = {"type": "result", "session_id": "x", "result": f"answer of {key.partition('.again')[0]}"}
    print(json.dumps({**reply, "total_cost_usd": PRICE, "usage": {"input_tokens": 90, "output_tokens": 10}}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
