"""What is sent to Redis for each operation, and how its answer is read: the same for the sync and the async client."""

import math
from collections.abc import Callable, Mapping
from secrets import token_hex
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import quote

from ._checks import checked_now, checked_window, positive
from ._errors import InvalidLimit, ReservationClosed, StateUnavailable
from ._keys import Key, checked
from ._protocol import DAY_S, Reservation, Spending
from ._units import checked_units

__all__ = ["Command", "Commands", "answer_of", "checked_server"]

T = TypeVar("T")
SLACK_MS = 3_600_000  # a window is kept for longer than it counts, for a clock that is slower than the server's
KEEPS_ALL = "noeviction"


class Command(NamedTuple, Generic[T]):
    """One script with its keys and arguments, and what makes the result of its answer."""

    script: str
    keys: list[str]
    arguments: list[str]
    read: Callable[[list[Any]], T]


class Commands:
    """Makes the commands of one namespace; `clock` is `None` for the clock of the server."""

    def __init__(
        self, namespace: str, lease_s: float, forget_after_s: float | None, clock: Callable[[], float] | None
    ) -> None:
        if not (type(namespace) is str and namespace and namespace.isascii() and not set(namespace) & {"{", "}"}):
            raise InvalidLimit("namespace is a text of ASCII characters without braces")
        self.namespace = namespace
        self.lease_s = positive(lease_s, "lease_s")
        self.forget_after_s = None if forget_after_s is None else positive(forget_after_s, "forget_after_s")
        self.clock = clock

    def begin(self) -> Command[str]:
        """Find, or say, by what the data are recognised."""
        return Command("begin", [self._name("begun")], [token_hex(8)], _second)

    def attempt(self, *keys: Key) -> Command[tuple[int, ...]]:
        """Count an attempt by each key."""
        names = [self._name("attempts", checked(key)) for key in keys]
        return self._command("attempt", names, [_whole(DAY_S * 1_000)], lambda answer: tuple(map(int, answer[1:])))

    def attempts(self, key: Key) -> Command[int]:
        """How many there were."""
        return self._command("attempts", [self._name("attempts", checked(key))], [], lambda answer: int(answer[1]))

    def admit(self, key: Key, limit: int, per_s: float) -> Command[float | None]:
        """Take a place in a window; a limit of 0 is for who calls to answer."""
        checked_window(limit, per_s)
        length = math.ceil(per_s * 1_000_000)
        name = self._name(f"window:{length}", checked(key))
        kept = _whole(length / 1_000 + SLACK_MS)
        return self._command("admit", [name], [self._now(), str(limit), str(length), kept], _wait)

    def reserve(self, key: Key, amount: int, cap: int) -> Command[Reservation | None]:
        """Hold an amount."""
        held = Reservation(token_hex(8), checked(key), checked_units(amount))
        lease = _whole(self.lease_s * 1_000_000)
        arguments = [_member(held), str(held.amount), str(checked_units(cap, "/cap")), lease]
        return self._on_account("reserve", key, arguments, lambda answer: None if _said(answer) == "full" else held)

    def settle(self, reservation: Reservation, amount: int | None = None) -> Command[None]:
        """Spend what was reserved, or this amount in its place."""
        return self._close(reservation, reservation.amount if amount is None else checked_units(amount))

    def release(self, reservation: Reservation) -> Command[None]:
        """Give back what was reserved."""
        return self._close(reservation, 0)

    def charge(self, key: Key, amount: int) -> Command[None]:
        """Spend an amount that was not reserved."""
        return self._on_account("charge", key, [str(checked_units(amount))], _nothing)

    def spending(self, key: Key) -> Command[Spending]:
        """What is spent, and what is reserved."""
        return self._on_account("spending", key, [], lambda answer: Spending(int(answer[1]), int(answer[2])))

    def forget(self, key: Key) -> Command[None]:
        """Forget what is spent and attempted by a key."""
        command = self._on_account("forget", key, [], _nothing)
        return command._replace(keys=[*command.keys, self._name("attempts", checked(key))])

    def _close(self, held: Reservation, spent: int) -> Command[None]:
        return self._on_account("close", held.key, [_member(held), str(held.amount), str(spent)], _closed)

    def _on_account(self, script: str, key: Key, arguments: list[str], read: Callable[[list[Any]], T]) -> Command[T]:
        key = checked(key)
        kept = "" if self.forget_after_s is None else _whole(self.forget_after_s * 1_000)
        common = [self._now(), kept, _whole(self.lease_s * 1_000)]
        return self._command(
            script, [self._name("budget", key), self._name("leases", key)], [*common, *arguments], read
        )

    def _command(
        self, script: str, names: list[str], arguments: list[str], read: Callable[[list[Any]], T]
    ) -> Command[T]:
        return Command(script, [self._name("begun"), *names], arguments, read)

    def _name(self, kind: str, key: Key = ()) -> str:
        """The name of a key; what is in braces is what a cluster places it by, so that all are in one place."""
        parts = [quote(part, safe="", errors="surrogatepass") for part in key]
        return ":".join([f"{{{self.namespace}}}", kind, *parts])

    def _now(self) -> str:
        return "" if self.clock is None else str(math.floor(checked_now(self.clock()) * 1_000_000))


def answer_of(command: Command[T], answer: Any) -> T:
    """Read the answer of a script; raises `StateUnavailable` where the data are not what they were."""
    if _said(answer) == "lost":
        raise StateUnavailable("the data of Redis are not those that were counted in: what is spent is not known")
    return command.read(answer)


def checked_server(memory: Mapping[str, Any]) -> None:
    """Refuse a server that may drop a key that counts; `memory` is that section of its INFO."""
    policy = memory.get("maxmemory_policy")
    if policy != KEEPS_ALL and memory.get("maxmemory") != 0:
        raise StateUnavailable(
            f"Redis may drop what is counted when its memory is full: set maxmemory-policy {KEEPS_ALL}"
        )


def text_of(answer: Any) -> str:
    """Text, whether the client decodes answers or not."""
    return answer.decode() if isinstance(answer, bytes) else str(answer)


def _said(answer: list[Any]) -> str:
    return text_of(answer[0])


def _second(answer: list[Any]) -> str:
    return text_of(answer[1])


def _member(held: Reservation) -> str:
    return f"{held.id} {held.amount}"


def _whole(number: float) -> str:
    return str(math.ceil(number))


def _wait(answer: list[Any]) -> float | None:
    return int(answer[1]) / 1_000_000 if _said(answer) == "full" else None


def _nothing(_: list[Any]) -> None:
    return None


def _closed(answer: list[Any]) -> None:
    if _said(answer) == "closed":
        raise ReservationClosed("it was settled or released before, or its lease has run out")
