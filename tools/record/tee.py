"""Stand between an MCP client and a stdio server, and log each JSON-RPC line both ways.

    python tools/record/tee.py LOG SERVER [ARGUMENT...]

The lines pass unchanged. LOG is JSON Lines, `{"direction": …, "message": …}`: an envelope of this recorder's
own; `message` is what passed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import IO


def pass_on(source: IO[bytes], sink: IO[bytes], log: IO[str], direction: str) -> None:
    """Copy lines until the source ends."""
    for line in source:
        log.write(json.dumps({"direction": direction, "message": json.loads(line)}, ensure_ascii=False) + "\n")
        log.flush()
        sink.write(line)
        sink.flush()
    sink.close()


def main() -> None:
    path, *command = sys.argv[1:]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None
    assert server.stdout is not None
    with open(path, "a", encoding="utf-8") as log:
        there = (sys.stdin.buffer, server.stdin, log, "client->server")
        back = (server.stdout, sys.stdout.buffer, log, "server->client")
        threading.Thread(target=pass_on, args=there, daemon=True).start()
        pass_on(*back)
        server.wait()


if __name__ == "__main__":
    main()
