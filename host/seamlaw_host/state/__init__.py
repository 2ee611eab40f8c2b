"""What is counted from call to call: attempts, rates, budgets, tokens; in memory, or in Redis for several processes."""

from ._budget import budget as budget
from ._errors import InvalidAmount as InvalidAmount
from ._errors import InvalidLimit as InvalidLimit
from ._errors import ReservationClosed as ReservationClosed
from ._errors import StateFull as StateFull
from ._errors import StateUnavailable as StateUnavailable
from ._errors import UnknownUsage as UnknownUsage
from ._keys import Key as Key
from ._memory import MemoryState as MemoryState
from ._meter import Attempt as Attempt
from ._meter import Ending as Ending
from ._meter import Meter as Meter
from ._meter import attempting as attempting
from ._meter import metering as metering
from ._packs import Budget as Budget
from ._packs import RateLimit as RateLimit
from ._packs import TokenBudget as TokenBudget
from ._packs import TokenLimit as TokenLimit
from ._protocol import Reservation as Reservation
from ._protocol import Spending as Spending
from ._protocol import State as State
from ._rate import rate_limit as rate_limit
from ._redis import AsyncRedisState as AsyncRedisState
from ._redis import RedisState as RedisState
from ._units import Amount as Amount
from ._units import Units as Units
from ._usage import Usage as Usage
from ._usage import token_budget as token_budget
from ._usage import usage_of as usage_of

__all__ = [
    "Amount",
    "AsyncRedisState",
    "Attempt",
    "Budget",
    "Ending",
    "InvalidAmount",
    "InvalidLimit",
    "Key",
    "MemoryState",
    "Meter",
    "RateLimit",
    "RedisState",
    "Reservation",
    "ReservationClosed",
    "Spending",
    "State",
    "StateFull",
    "StateUnavailable",
    "TokenBudget",
    "TokenLimit",
    "Units",
    "UnknownUsage",
    "Usage",
    "attempting",
    "budget",
    "metering",
    "rate_limit",
    "token_budget",
    "usage_of",
]
