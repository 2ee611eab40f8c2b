"""Agent Hooks: an emitter over a core in Rust; it validates, hashes and records every emission."""

from collections.abc import Awaitable, Callable
from typing import Any

from agent_hooks import ALLOW, AgentContextBuilder, Decision, InterceptionBlocked, InterceptionEmitter, Verdict

from ._peer import TOOL, Peer, text

DENY = Verdict(Decision.DENY, reason="forbidden")


class Check:
    def __init__(self, forbidden: str) -> None:
        self.forbidden = forbidden

    def intercept(self, context: Any) -> Verdict:
        return DENY if self.forbidden in context["tool_call"]["args"]["command"] else ALLOW


def build(count: int) -> Callable[[Any], Awaitable[bool]]:
    builder = AgentContextBuilder(agent_id="main", framework="benchmarks", session_id="s-1")
    emitter = InterceptionEmitter()
    emitter.set_max_records(10_000)  # as many as the ledger of the others keeps
    for number in range(count):
        emitter.register(Check(text(number)))

    async def decide(arguments: Any) -> bool:
        context = builder.pre_tool_call(call_id="call-1", name=TOOL, args=arguments)
        try:
            await emitter.emit(context)
        except InterceptionBlocked:
            return False
        return True

    return decide


PEERS = (
    Peer(
        "agent-hooks-sdk",
        build,
        "agent-hooks-sdk",
        is_async=True,
        records=True,
        does="validates, hashes, decides, records in memory",
    ),
)
