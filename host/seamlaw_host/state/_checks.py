"""What the limits and clocks that are given must be."""

import math
import sys
from typing import Any, cast

from ._errors import InvalidLimit, StateUnavailable

__all__ = ["MOST_IN_WINDOW", "checked_now", "checked_window", "positive"]

MOST_IN_WINDOW = 100_000  # a window is kept exactly: the time of each that was admitted


def positive(seconds: object, name: str) -> float:
    """Check a positive, finite number of seconds; raises `InvalidLimit`."""
    if type(seconds) not in (int, float) or not 0 < cast(float, seconds) <= sys.float_info.max:
        raise InvalidLimit(f"{name} is a positive number of seconds")
    return cast(float, seconds)


def checked_window(limit: object, per_s: object) -> None:
    """Check a rate; raises `InvalidLimit`."""
    if type(limit) is not int or not 0 <= limit <= MOST_IN_WINDOW:
        raise InvalidLimit(f"limit is a whole number from 0 to {MOST_IN_WINDOW}")
    positive(per_s, "per_s")


def checked_now(at: Any) -> float:
    """Check what a clock says; raises `StateUnavailable`: without the time no window can be judged."""
    if type(at) not in (int, float) or not math.isfinite(at):
        raise StateUnavailable("the clock gives no finite number of seconds")
    return cast(float, at)
