"""A server without an SDK: it keeps every line that it is sent, and does what the tool's name says.

    python scripted_server.py LINES

`big` gives so many bytes, `never` no answer, `crash` ends, `noise` prints what is no message, `stderr` writes there,
`late` answers when the input ends, any other tool gives its arguments back. Any other request has an empty result.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any


def say(number: object, text: str) -> None:
    """Answer a call."""
    made = {"jsonrpc": "2.0", "id": number, "result": {"content": [{"type": "text", "text": text}]}}
    sys.stdout.write(json.dumps(made) + "\n")
    sys.stdout.flush()


def called(number: object, name: str, arguments: dict[str, Any]) -> None:
    """Run a tool."""
    match name:
        case "big":
            say(number, "x" * arguments["size"])
        case "crash":
            os._exit(arguments["code"])
        case "noise":
            print("Listening, dear all", flush=True)  # noqa: T201
            say(number, "said")
        case "stderr":
            sys.stderr.write("a line of the server\n")
            sys.stderr.flush()
            say(number, "said")
        case "never" | "late":
            pass
        case _:
            say(number, json.dumps(arguments))


def main() -> None:
    """Read until the input ends."""
    late: list[object] = []
    with Path(sys.argv[1]).open("ab", buffering=0) as kept:
        for line in sys.stdin.buffer:
            kept.write(line)
            message = json.loads(line)
            if message.get("method") == "tools/call":
                params = message["params"]
                called(message["id"], params["name"], params.get("arguments", {}))
                late += [message["id"]] if params["name"] == "late" else []
            elif "id" in message and "method" in message:
                sys.stdout.write(f'{{"id": {json.dumps(message["id"])},   "jsonrpc": "2.0", "result": {{}} }}\n')
                sys.stdout.flush()
    for number in late:
        say(number, "late")


if __name__ == "__main__":
    main()
