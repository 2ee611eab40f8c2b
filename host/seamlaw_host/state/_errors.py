"""What the counting of calls raises; at a gate each of them is a fault, and blocks."""

from seamlaw import InvalidValue
from seamlaw_host.errors import HostError

__all__ = ["InvalidAmount", "InvalidLimit", "ReservationClosed", "StateFull", "StateUnavailable", "UnknownUsage"]


class InvalidAmount(HostError, InvalidValue):
    """An amount, a time or a key that nothing can be counted by: NaN, negative, infinite, a boolean, text."""


class InvalidLimit(HostError, ValueError):
    """A limit, a cap or an option that makes no sense: a mistake in how the limit is set up."""


class ReservationClosed(HostError, LookupError):
    """A reservation that is not open: it was settled or released, or its lease ran out and it is spent in full."""


class StateFull(HostError, RuntimeError):
    """No room for another key: those there are still count, and forgetting one would loosen its limit."""


class StateUnavailable(HostError, ConnectionError):
    """What counts cannot be reached, or is not what it was: nothing may be let through by it."""


class UnknownUsage(HostError, ValueError):
    """A response that does not say in a known shape what was used; never read as nothing."""
