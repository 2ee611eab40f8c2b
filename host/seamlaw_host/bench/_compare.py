"""A measurement as data, and whether a later one is slower: by ratios, for another hour is another machine."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from attrs import evolve, frozen

from seamlaw_host.errors import HostError

from ._measure import PartCost, Report, SeamCost

__all__ = ["Regression", "Unreadable", "as_data", "better", "compared", "read"]


class Unreadable(HostError, ValueError):
    """What should be an earlier measurement and is none."""


@frozen
class Regression:
    """What has become slower: a seam, or an interceptor at it, in calls of an empty function."""

    seam: str
    interceptor: str | None
    before: float
    now: float


Figures = Mapping[tuple[str, str | None], float]


def as_data(report: Report) -> dict[str, Any]:
    """The measurement as plain data."""
    return {"seams": [_seam(found) for found in report.seams], "unmeasured": list(report.unmeasured)}


def _seam(found: SeamCost) -> dict[str, Any]:
    return {
        "seam": found.seam,
        "values": found.values,
        "microseconds": found.time_ns / 1000,
        "waits": found.waits,
        "bare_microseconds": found.bare_ns / 1000,
        "ratio": found.ratio,
        "empty_calls": found.calls,
        "kernel": found.kernel,
        "interceptors": [_part(part) for part in found.parts],
        "faulted": dict(found.faulted),
        "unsteady": found.unsteady,
    }


def _part(part: PartCost) -> dict[str, Any]:
    return {
        "interceptor": part.name,
        "kind": part.kind,
        "asked": part.asked,
        "microseconds": part.time_ns / 1000,
        "waits": part.waits,
        "empty_calls": part.calls,
        "share": part.share,
    }


def read(text: str) -> dict[str, Any]:
    """Read what `seamlaw bench --json` wrote; raises `Unreadable`."""
    try:
        data: object = json.loads(text)
        if not isinstance(data, dict) or cast("dict[str, Any]", data).get("type") != "bench":
            raise Unreadable("is not what seamlaw bench --json wrote")
        _figures(cast("dict[str, Any]", data))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Unreadable("is not what seamlaw bench --json wrote") from error
    return cast("dict[str, Any]", data)


def _figures(data: Mapping[str, Any]) -> Figures:
    found: dict[tuple[str, str | None], float] = {}
    for seam in data["seams"]:
        found[str(seam["seam"]), None] = float(seam["empty_calls"])
        for part in seam["interceptors"]:
            found[str(seam["seam"]), str(part["interceptor"])] = float(part["empty_calls"])
    return found


def compared(old: Mapping[str, Any], report: Report, tolerance: float) -> list[Regression]:
    """What costs more than before, by more than `tolerance` (0.25: a quarter); what is new has no before."""
    before = _figures(old)
    return [
        Regression(seam, interceptor, before[seam, interceptor], now)
        for (seam, interceptor), now in _figures(as_data(report)).items()
        if (seam, interceptor) in before and now > before[seam, interceptor] * (1 + tolerance)
    ]


def better(one: Report, other: Report) -> Report:
    """The lower figure of two measurements of the same: what disturbs a measurement only adds to it."""
    others = {seam.seam: seam for seam in other.seams}
    return evolve(one, seams=tuple(_better(seam, others.get(seam.seam, seam)) for seam in one.seams))


def _better(one: SeamCost, other: SeamCost) -> SeamCost:
    lower, higher = (one, other) if one.calls <= other.calls else (other, one)
    return evolve(lower, parts=tuple(_lower_parts(lower, higher)))


def _lower_parts(one: SeamCost, other: SeamCost) -> Iterator[PartCost]:
    others = {part.name: part for part in other.parts}
    for part in one.parts:
        beside = others.get(part.name, part)
        yield part if part.calls <= beside.calls else evolve(part, calls=beside.calls, time_ns=beside.time_ns)
