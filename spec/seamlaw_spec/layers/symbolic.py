"""CrossHair, asked about one shape: every path through a law, with everything that is free in it symbolic.

This uses the exploration loop of CrossHair and not its contracts: the kernel has none, and looking for some at every
call makes a path fifteen times as slow. CrossHair skips caches of functions; the one of `listener`, which is called
with names alone, is kept.
"""

from collections.abc import Callable, Mapping
from functools import _lru_cache_wrapper  # pyright: ignore[reportPrivateUsage]
from importlib import import_module
from typing import Any, cast

from attrs import frozen

from seamlaw_spec.domains import listener

from .shapes import Free, filled

__all__ = ["Explored", "explore"]

CORE, LIBRARIES, OPTIONS, SPACE, TRACERS, UTIL = (  # typed in part only
    cast(Any, import_module(f"crosshair.{name}"))
    for name in ("core", "core_and_libs", "options", "statespace", "tracers", "util")
)
CONFIRMED, REFUTED = SPACE.VerificationStatus.CONFIRMED, SPACE.VerificationStatus.REFUTED


@frozen
class Explored:
    """How many paths there were, and what is wrong: a case, or that not all could be taken."""

    paths: int
    problem: str = ""
    case: Mapping[str, Any] | None = None


def _uncached_but_for_listeners(cached: Any, *given: Any, **named: Any) -> Any:
    if cached is listener:
        with TRACERS.NoTracing():
            return listener(*CORE.deep_realize(given), **CORE.deep_realize(named))
    return cached.__wrapped__(*given, **named)


LIBRARIES._make_registrations()
CORE._PATCH_REGISTRATIONS[cast(Any, _lru_cache_wrapper).__call__] = _uncached_but_for_listeners


def explore(holds: Callable[..., bool], shape: Mapping[str, Any], seconds: float) -> Explored:
    """Take every path of a law through one shape, within so many seconds of the processor."""
    limits = OPTIONS.AnalysisOptionSet(
        analysis_kind=[OPTIONS.AnalysisKind.PEP316],
        per_condition_timeout=seconds,
        per_path_timeout=seconds,
        max_uninteresting_iterations=0,
    )
    found: list[tuple[Mapping[str, Any], str]] = []

    def take(space: Any) -> Any:
        case, held = filled(shape, _Symbols()), False
        with CORE.ExceptionFilter() as filtered, TRACERS.ResumedTracing():
            held = bool(holds(**case))
        if filtered.ignore:
            return CORE.PathOutcome(filtered.analysis)
        if filtered.user_exc is None and held:
            return CORE.PathOutcome(SPACE.CallAnalysis(CONFIRMED))
        with TRACERS.ResumedTracing():
            space.detach_path()
            real = CORE.deep_realize(case)
        wrong = f"it raises {type(filtered.user_exc[0]).__name__}" if filtered.user_exc else "it does not hold"
        found.append((real, wrong))
        return CORE.PathOutcome(SPACE.CallAnalysis(REFUTED))

    ended = CORE.explore_loop(OPTIONS.DEFAULT_OPTIONS.overlay(limits), SPACE.RootNode(), take, stop_on_refutation=True)
    if found:
        return Explored(ended.iterations, found[0][1], found[0][0])
    whole = ended.exhausted and ended.top_analysis and ended.top_analysis.verification_status is CONFIRMED
    return Explored(ended.iterations, "" if whole else "not every path could be taken")


class _Symbols:
    """Makes symbolic values, each with a name of its own."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self, free: Free) -> Any:
        self.made += 1
        symbol = CORE.proxy_for_type(free.kind, f"free_{self.made}")
        if free.kind is str:
            with TRACERS.ResumedTracing():
                if len(symbol) > free.longest:
                    raise UTIL.IgnoreAttempt
        return symbol
