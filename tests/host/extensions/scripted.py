"""An extension that does what it is told by the values it is shown, however wrong; of the standard library alone.

Its argument is a JSON file, read at each start: the manifest, and what is done before that is said. `raw` says a text,
in which ID stands for the id of the request, and each character for one byte.
"""

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

OUT = sys.stdout.buffer
KEPT: list[int] = []


def say(text: str) -> None:
    """Say it at once."""
    OUT.write(text.encode("latin-1"))
    OUT.flush()


def told(value: Any) -> list[Any]:
    """Find what is to be done in a value of any seam."""
    shown: Any = value
    if isinstance(value, list):
        content = shown[0]["content"]
        listed: list[Any] = json.loads(content) if isinstance(content, str) else content
        return listed
    if "messages" in shown:
        return told(shown["messages"])
    said: Any = shown.get("arguments") or shown.get("output") or {}
    found: list[Any] = said.get("do", [])
    return found


def do(steps: list[Any], message: dict[str, Any]) -> None:
    """Take the steps."""
    for step in steps:
        name, *given = step
        STEPS[name](message, *given)


def answer(message: dict[str, Any], **said: Any) -> None:
    """Answer the request, as the protocol has it."""
    say(json.dumps({"id": message["id"], **said}) + "\n")


def raw(message: dict[str, Any], text: str, times: int = 1) -> None:
    """Say just this."""
    say(text.replace("ID", str(message.get("id"))) * times)


def keep(message: dict[str, Any]) -> None:
    """Do not answer now."""
    KEPT.append(message["id"])


def kept(message: dict[str, Any]) -> None:
    """Answer everything that was kept."""
    while KEPT:
        say(json.dumps({"id": KEPT.pop(), "decision": "allow"}) + "\n")


def stall(message: dict[str, Any]) -> None:
    """Neither answer nor read any more, whatever it is told."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(60)


def kill(message: dict[str, Any]) -> None:
    """Die as by kill -9."""
    os.kill(os.getpid(), signal.SIGKILL)


def child(message: dict[str, Any], path: str) -> None:
    """Start another process that holds all pipes, and tell its number."""
    number = os.fork()
    if number == 0:
        stall(message)
    Path(path).write_text(str(number), "utf-8")


def shown(message: dict[str, Any], path: str) -> None:
    """Write down the request as it came, and the environment."""
    Path(path).write_text(json.dumps({"message": message, "env": dict(os.environ), "cwd": str(Path.cwd())}), "utf-8")


def stderr(message: dict[str, Any], text: str, times: int = 1) -> None:
    """Say it on standard error."""
    sys.stderr.write(text * times)
    sys.stderr.flush()


def become(message: dict[str, Any], path: str, text: str) -> None:
    """Be another at the next start."""
    Path(path).write_text(text, "utf-8")


def outlive(message: dict[str, Any]) -> None:
    """Go on when standard input has ended."""
    threading.Thread(target=time.sleep, args=(60,)).start()


def ends(message: dict[str, Any], code: int = 0) -> None:
    """Exit at once."""
    os._exit(code)


def decides(decision: str, **defaults: Any) -> Any:
    """Make a step that answers with a decision, and one thing that belongs to it."""

    def step(message: dict[str, Any], *given: Any) -> None:
        answer(message, decision=decision, **{**defaults, **dict(zip(defaults, given, strict=False))})

    return step


def pid(message: dict[str, Any]) -> None:
    """Tell its number."""
    answer(message, decision="note", reason=str(os.getpid()))


def close(message: dict[str, Any]) -> None:
    """Close standard output."""
    os.close(1)


DECISIONS: dict[str, Any] = {
    "allow": decides("allow"),
    "block": decides("block", reason="it says so"),
    "note": decides("note", reason="odd"),
    "ask": decides("ask", reason="may it?", target="lead"),
    "replace": decides("replace", value=None),
    "error": decides("error"),
    "exit": ends,
}
STEPS = DECISIONS | {
    step.__name__: step for step in (pid, raw, keep, kept, stall, kill, child, shown, close, stderr, become, outlive)
}


def main() -> None:
    """Serve until standard input ends."""
    script = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            do(script.get("before", []), message)
            say(json.dumps(script["manifest"]) + "\n")
            do(script.get("after", []), message)
        elif message["type"] == "observe":
            do(told(message["value"]), message)
        else:
            do(told(message["value"]) or [["allow"]], message)


if __name__ == "__main__":
    main()
