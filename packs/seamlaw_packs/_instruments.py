"""The counts as instruments of OpenTelemetry, told as they happen; one that fails stands in nobody's way."""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .errors import MissingExtra

if TYPE_CHECKING:
    from opentelemetry.metrics import Meter, MeterProvider

__all__ = ["Instruments"]

# https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/; it has no name for what came of a call.
TOOL, OUTCOME = "gen_ai.tool.name", "seamlaw.outcome"


def _meter(provider: "MeterProvider | None") -> "Meter":
    try:
        from opentelemetry.metrics import get_meter
    except ImportError as missing:
        raise MissingExtra("telling OpenTelemetry needs its API: pip install 'seamlaw[otel]'") from missing
    return get_meter("seamlaw", meter_provider=provider)


class Instruments:
    """Two counters and a histogram, of the global provider unless one is given; raises `MissingExtra`."""

    def __init__(self, buckets: Sequence[float], provider: "MeterProvider | None") -> None:
        meter = _meter(provider)
        self._judged = meter.create_counter("seamlaw.tool_calls.judged", "{call}", "Tool calls that came to the gates")
        self._calls = meter.create_counter("seamlaw.tool_calls", "{call}", "Tool calls, by what came of them")
        self._seconds = meter.create_histogram(
            "seamlaw.tool_call.duration",
            "s",
            "Time from the gates to the result",
            explicit_bucket_boundaries_advisory=buckets,
        )

    def judged(self, tool: str) -> None:
        """Count a call that is judged."""
        with suppress(Exception):
            self._judged.add(1, {TOOL: tool})

    def came(self, tool: str, outcome: str, seconds: float | None = None) -> None:
        """Count what came of a call, and how long it took, if that is known."""
        told: dict[str, Any] = {TOOL: tool, OUTCOME: outcome}
        with suppress(Exception):
            self._calls.add(1, told)
            if seconds is not None:
                self._seconds.record(seconds, told)
