"""A process that puts one call to a store of approvals, and says what came of it: `python claimer.py URL READY HOW`.

`HOW`: `call` runs the call; `die` kills the process (kill -9) when the grant has been used up and the tool has not
yet started; `die before` when the store is about to be asked. It begins when the file READY is there.
"""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from seamlaw import Interceptors, ask, gate
from seamlaw_host.approvals import Approvals, ApprovalStore, StoreHandler
from seamlaw_host.engine import Engine
from seamlaw_host.errors import Blocked


class Redactor:
    """Keeps all as it is."""

    def value(self, value: object, /) -> object:
        """Give it back."""
        return value

    def text(self, text: str, /) -> str:
        """Give it back."""
        return text


def killed(*_: object) -> None:
    """Leave no time for anything."""
    os.kill(os.getpid(), signal.SIGKILL)


def push(branch: str) -> str:
    """Run."""
    return f"done with {branch}"


def main(url: str, ready: str, how: str) -> None:
    """Call once."""
    handler = StoreHandler(ApprovalStore(url))
    if how == "die":
        real = handler.ask

        def ask_and_die(request: Any, /) -> Any:
            answer = real(request)
            killed()
            return answer

        handler.ask = ask_and_die  # type: ignore[method-assign]
    elif how == "die before":
        handler.ask = killed  # type: ignore[method-assign,assignment]
    asks = gate(lambda call: ask("may it?", target="store://"), name="asker")
    engine = Engine(Interceptors(tool_call=[asks]), approvals=Approvals({"store": handler}, redactor=Redactor()))
    while not Path(ready).exists():
        time.sleep(0.001)
    try:
        told = engine.call("push", push, {"branch": "main"})
    except Blocked as denied:
        told = denied.reason
    sys.stdout.write(told)


if __name__ == "__main__":
    main(*sys.argv[1:])
