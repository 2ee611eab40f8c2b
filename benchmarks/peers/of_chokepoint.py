"""Chokepoint: runs the tool behind its policies; its ledger and its redaction are always on."""

from collections.abc import Callable
from typing import Any

from chokepoint import BLOCK, ActionLedger, ChokepointInterceptor, GuardBlocked, PolicySet

from ._peer import TOOL, Peer, text


def done(**arguments: object) -> bool:
    return True


def predicate(forbidden: str) -> Callable[[Any], bool]:
    return lambda context: forbidden not in context.args["command"]


def build(count: int) -> Callable[[Any], bool]:
    policy = PolicySet("commands")
    for number in range(count):
        policy.require(predicate(text(number)), on_fail=BLOCK, reason="forbidden")
    interceptor = ChokepointInterceptor([policy], ledger=ActionLedger())

    def decide(arguments: Any) -> bool:
        try:
            return bool(interceptor.call(TOOL, done, args=arguments))
        except GuardBlocked:
            return False

    return decide


PEERS = (
    Peer("chokepoint", build, "chokepoint", records=True, does="decides, runs the tool, redacts and records in memory"),
)
