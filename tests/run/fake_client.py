"""A fake of any client's program: each call does the next thing of the plan of the file that its first word names."""

import json
import os
import sys
import time


def main() -> int:
    """Do the next thing; the last one is repeated."""
    path = sys.argv[1]
    with open(f"{path}.calls", "a+", encoding="utf-8") as calls:
        calls.write("x")
        calls.flush()
        number = calls.tell()
    with open(f"{path}.plan", encoding="utf-8") as file:
        plan = json.load(file)
    step = plan[min(number, len(plan)) - 1]
    sys.stdin.read()
    if step["do"] == "hang":
        print("Thinking", flush=True)
        time.sleep(600)
    if step["do"] == "flood":
        for _ in range(40):
            sys.stdout.write("x" * 100_000)
            sys.stdout.flush()
    if step["do"] == "crash":
        os.abort()
    sys.stderr.buffer.write(step["errors"].encode())
    sys.stdout.buffer.write(step["out"].encode())
    return int(step["status"])


if __name__ == "__main__":
    sys.exit(main())
