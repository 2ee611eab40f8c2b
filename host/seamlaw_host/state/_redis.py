"""Counting in Redis, for all processes that share a server: a client that waits, and one for event loops."""

from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from typing import Any, Protocol, TypeVar, cast

from seamlaw_host.errors import MissingExtra
from seamlaw_packs._hidden import Hidden

from ._checks import positive
from ._commands import Command, Commands, answer_of, checked_server
from ._errors import StateUnavailable
from ._keys import Key
from ._protocol import DAY_S, Reservation, Spending
from ._scripts import SCRIPTS

__all__ = ["AsyncRedisState", "RedisState"]

T = TypeVar("T")


class _Script(Protocol):
    def __call__(self, keys: list[str], args: list[str]) -> Any: ...


class _Client(Protocol):
    """What is used of redis-py's clients; the async one gives awaitables."""

    def register_script(self, script: str, /) -> _Script: ...
    def info(self, section: str, /) -> Any: ...
    def close(self) -> Any: ...
    def aclose(self) -> Awaitable[None]: ...


class _Server:
    """A client with the scripts it knows; what it learns of the server when it is first asked."""

    def __init__(self, module: str, retries: str, url: str, timeout_s: float, options: Mapping[str, Any]) -> None:
        try:
            redis, retry = import_module(module), import_module(retries)
            backoff = import_module("redis.backoff")
        except ImportError as missing:
            raise MissingExtra("counting in Redis needs redis: pip install 'seamlaw[redis]'") from missing
        waits = {"socket_timeout": timeout_s, "socket_connect_timeout": timeout_s}
        # An operation that is sent twice would be counted twice: nothing is tried again.
        once = {"retry": retry.Retry(backoff.NoBackoff(), 0)}
        self.client = cast(_Client, redis.Redis.from_url(url, **{**waits, **once, **options}))
        pool: Any = cast(Any, self.client).connection_pool
        pool.connection_class(**pool.connection_kwargs)  # so that what a URL says and nobody knows is refused now
        self.scripts = {name: self.client.register_script(script) for name, script in SCRIPTS.items()}
        self.errors: tuple[type[Exception], ...] = (import_module("redis.exceptions").RedisError, OSError)
        self.begun: str | None = None

    def send(self, command: Command[Any]) -> Any:
        """Run a script: gives the answer, or an awaitable of it."""
        begun = [] if self.begun is None or command.script == "begin" else [self.begun]
        return self.scripts[command.script](keys=command.keys, args=[*begun, *command.arguments])


def _unavailable(error: Exception) -> StateUnavailable:
    """What is said of an error: its kind, and the word that Redis begins with, never where the server is."""
    word = str(error).partition(" ")[0]
    said = f" ({word})" if word.isascii() and word.isupper() and word.isalpha() else ""
    return StateUnavailable(f"Redis cannot be asked: {type(error).__name__}{said}")


class RedisState:
    """A `State` in Redis, shared by every process that names the same server and namespace.

    Each operation is one script, so one round trip; it waits at most `timeout_s` for a connection and as long for the
    answer, and is not tried again. `url` is as redis-py reads it (`redis://`, `rediss://`, `unix://`), `options` go
    to its client. The time is the server's unless there is a `clock`. Budgets are kept for good, or until they were
    not touched for `forget_after_s`; attempts for a day; windows as long as they count.

    Raises `StateUnavailable` where the server cannot be asked, where it may drop keys when its memory is full, and
    where the data are gone that this object has counted in; `InvalidLimit`; `MissingExtra` without `seamlaw[redis]`.
    """

    def __init__(
        self,
        url: str,
        *,
        namespace: str = "seamlaw",
        timeout_s: float = 1.0,
        lease_s: float = DAY_S,
        forget_after_s: float | None = None,
        clock: Callable[[], float] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._commands = Commands(namespace, lease_s, forget_after_s, clock)
        timeout_s = positive(timeout_s, "timeout_s")
        self._hidden = Hidden(_Server("redis", "redis.retry", url, timeout_s, options or {}))

    def attempt(self, *keys: Key) -> tuple[int, ...]:
        """Count an attempt by each key, and give how many there were with it."""
        return self._run(self._commands.attempt(*keys))

    def attempts(self, key: Key) -> int:
        """How many attempts there were, as far as is remembered."""
        return self._run(self._commands.attempts(key))

    def admit(self, key: Key, limit: int, per_s: float) -> float | None:
        """Take a place in the sliding window, or give the seconds until one is free."""
        command = self._commands.admit(key, limit, per_s)
        return self._run(command) if limit else float("inf")

    def reserve(self, key: Key, amount: int, cap: int) -> Reservation | None:
        """Hold an amount, if with it no more than `cap` is spent and reserved."""
        return self._run(self._commands.reserve(key, amount, cap))

    def settle(self, reservation: Reservation, amount: int | None = None) -> None:
        """Spend what was reserved, or this amount in its place."""
        self._run(self._commands.settle(reservation, amount))

    def release(self, reservation: Reservation) -> None:
        """Give back what was reserved."""
        self._run(self._commands.release(reservation))

    def charge(self, key: Key, amount: int) -> None:
        """Spend an amount that was not reserved, past any cap."""
        self._run(self._commands.charge(key, amount))

    def spending(self, key: Key) -> Spending:
        """What is spent, and what is reserved."""
        return self._run(self._commands.spending(key))

    def forget(self, key: Key) -> None:
        """Forget what is spent and attempted by a key."""
        self._run(self._commands.forget(key))

    def close(self) -> None:
        """Close the connections."""
        self._hidden.value.client.close()

    def _run(self, command: Command[T]) -> T:
        server = self._hidden.value
        try:
            if server.begun is None:
                checked_server(server.client.info("memory"))
                begin = self._commands.begin()
                server.begun = answer_of(begin, server.send(begin))
            answer = server.send(command)
        except server.errors as error:
            if isinstance(error, StateUnavailable):
                raise
            raise _unavailable(error) from None
        return answer_of(command, answer)


class AsyncRedisState:
    """The operations of `RedisState` for code in an event loop, one loop for each object; the counts are the same.

    A gate is sync and needs a `RedisState`; this is for code around it.
    """

    def __init__(
        self,
        url: str,
        *,
        namespace: str = "seamlaw",
        timeout_s: float = 1.0,
        lease_s: float = DAY_S,
        forget_after_s: float | None = None,
        clock: Callable[[], float] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._commands = Commands(namespace, lease_s, forget_after_s, clock)
        timeout_s = positive(timeout_s, "timeout_s")
        self._hidden = Hidden(_Server("redis.asyncio", "redis.asyncio.retry", url, timeout_s, options or {}))

    async def attempt(self, *keys: Key) -> tuple[int, ...]:
        """Count an attempt by each key, and give how many there were with it."""
        return await self._run(self._commands.attempt(*keys))

    async def attempts(self, key: Key) -> int:
        """How many attempts there were, as far as is remembered."""
        return await self._run(self._commands.attempts(key))

    async def admit(self, key: Key, limit: int, per_s: float) -> float | None:
        """Take a place in the sliding window, or give the seconds until one is free."""
        command = self._commands.admit(key, limit, per_s)
        return await self._run(command) if limit else float("inf")

    async def reserve(self, key: Key, amount: int, cap: int) -> Reservation | None:
        """Hold an amount, if with it no more than `cap` is spent and reserved."""
        return await self._run(self._commands.reserve(key, amount, cap))

    async def settle(self, reservation: Reservation, amount: int | None = None) -> None:
        """Spend what was reserved, or this amount in its place."""
        await self._run(self._commands.settle(reservation, amount))

    async def release(self, reservation: Reservation) -> None:
        """Give back what was reserved."""
        await self._run(self._commands.release(reservation))

    async def charge(self, key: Key, amount: int) -> None:
        """Spend an amount that was not reserved, past any cap."""
        await self._run(self._commands.charge(key, amount))

    async def spending(self, key: Key) -> Spending:
        """What is spent, and what is reserved."""
        return await self._run(self._commands.spending(key))

    async def forget(self, key: Key) -> None:
        """Forget what is spent and attempted by a key."""
        await self._run(self._commands.forget(key))

    async def close(self) -> None:
        """Close the connections."""
        await self._hidden.value.client.aclose()

    async def _run(self, command: Command[T]) -> T:
        server = self._hidden.value
        try:
            if server.begun is None:
                checked_server(await server.client.info("memory"))
                begin = self._commands.begin()
                server.begun = answer_of(begin, await server.send(begin))
            answer = await server.send(command)
        except server.errors as error:
            if isinstance(error, StateUnavailable):
                raise
            raise _unavailable(error) from None
        return answer_of(command, answer)
