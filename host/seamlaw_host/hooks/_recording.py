"""One record for one hook, written before the agent is told: many hooks of one session share a ledger."""

import time

from seamlaw import Interceptors
from seamlaw_host.ledger import Happening, JsonlSink, Ledger, LedgerLocked
from seamlaw_host.policies._hash import hash_of

from ._deciding import Answer
from ._event import HookEvent

__all__ = ["record"]

PAUSE_S = 0.01


def record(path: str, bundle: Interceptors | None, event: HookEvent, answered: Answer, patience_s: float) -> None:
    """Record what was decided; raises what the ledger raises, and `LedgerLocked` if others write for too long."""
    if answered.outcome is None:
        return
    outcome, fields = answered.outcome, event.fields
    took = fields.get("duration_ms")
    happening = Happening(
        time.time(),
        outcome.seam,
        answered.scope,
        "enforce",
        f"{answered.scope.session or ''}/{fields.get('tool_use_id') or fields.get('prompt_id') or 'hook'}",
        answered.proposed,
        answered.call,
        outcome,
        executed=answered.executed,
        duration_s=took / 1000 if isinstance(took, int | float) else None,
        policy_hash=hash_of(bundle),
    )
    with Ledger([_opened(path, time.monotonic() + patience_s)], durability="each") as ledger:
        ledger.append(happening)
        if not ledger.flush() or ledger.sink_errors:
            raise OSError(None, "the ledger could not be written", path)


def _opened(path: str, until: float) -> JsonlSink:
    while True:
        try:
            return JsonlSink(path)
        except LedgerLocked:
            if time.monotonic() > until:
                raise
            time.sleep(PAUSE_S)
