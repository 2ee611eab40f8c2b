"""What is counted from call to call: attempts, rates, budgets, tokens; in memory, or in Redis for several processes."""

from ._meter import Attempt as Attempt
from ._meter import Ending as Ending
from ._meter import Meter as Meter
from ._meter import attempting as attempting
from ._meter import metering as metering

__all__ = ["Attempt", "Ending", "Meter", "attempting", "metering"]
