"""Spans and metrics of governed calls, for OpenTelemetry: `Engine(telemetry=Telemetry())`; see `docs/telemetry.md`."""

from seamlaw_host.errors import MissingExtra

try:
    from ._telemetry import Telemetry as Telemetry
except ModuleNotFoundError as missing:
    if not (missing.name or "").startswith("opentelemetry"):
        raise
    raise MissingExtra("telemetry needs the API of OpenTelemetry: pip install 'seamlaw[otel]'") from missing

__all__ = ["Telemetry"]
