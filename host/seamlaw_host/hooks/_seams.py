"""Where a hook can decide and the kernel has no seam: when an agent stops, and before its context is compacted."""

from seamlaw import FrozenDict, Seam

__all__ = ["AGENT_STOP", "COMPACTION"]

# Open: an interceptor that crashes must not keep an agent running for ever.
AGENT_STOP: Seam[FrozenDict] = Seam(
    "agent_stop",
    FrozenDict,
    on_fault="open",
    fires="when an agent, or one that works for it, is about to stop",
    block_means="it is told the reason, and goes on",
)
COMPACTION: Seam[FrozenDict] = Seam(
    "compaction",
    FrozenDict,
    on_fault="open",
    fires="before an agent's context is compacted",
    block_means="it is not compacted",
)
