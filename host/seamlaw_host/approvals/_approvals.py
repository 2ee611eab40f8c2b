"""Who is asked: a handler for each URI scheme, and nobody where none is registered."""

import re
import secrets
import time
from collections.abc import Callable, Mapping
from functools import partial
from threading import Lock
from typing import Any, Protocol, cast

from seamlaw import TOOL_CALL, Answered, Outcome, Scope, StandingAsk, ToolCall, digest

from ._asking import Contact, Group, MakeRequest, NotAsked, NotShown, Pending
from ._errors import InvalidApprovals
from ._redaction import Redactor, Unredacted, default_redactor, redacted, redacted_text
from ._request import BatchHandler, Handler, Request
from ._visible import cut

__all__ = ["Approvals", "Asking"]

SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,31})://")
NAME = re.compile(r"[a-z][a-z0-9+.-]{0,31}")


class Asking(Protocol):
    """What is to be done about one ask: run `work` for at most `timeout_s`, and let `answered` read what came."""

    @property
    def ask(self) -> StandingAsk:
        """What is asked."""
        ...

    @property
    def timeout_s(self) -> float | None:
        """How long an answer may take."""
        ...

    @property
    def work(self) -> Callable[[], object]:
        """Contact somebody; gives the answer, or an awaitable of it."""
        ...

    def answered(self, said: object, /) -> Answered:
        """Read what came back."""
        ...


class Approvals:
    """Puts each ask to the handler of its target's scheme; whom nobody can ask is refused.

    `handlers` are named by scheme (`cli`, `webhook`, `slack`, `store`, or your own). `default_target` is for asks
    that name none. `redactor`: the one of the packs unless given. `timeout_s` is for asks that do not say how long
    they wait; `None` waits forever. A reason longer than `most_message` characters is cut; arguments that take more
    than `most_shown` are not cut but refused, since nobody can approve what they do not see. Raises
    `InvalidApprovals`.
    """

    def __init__(
        self,
        handlers: Mapping[str, Handler] | None = None,
        *,
        default_target: str | None = None,
        redactor: Redactor | None = None,
        timeout_s: float | None = 300.0,
        most_message: int = 2_000,
        most_shown: int = 100_000,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if timeout_s is not None and not 0 < timeout_s < float("inf"):
            raise InvalidApprovals("timeout_s is a positive number of seconds, or None")
        if default_target is not None and not SCHEME.match(default_target):
            raise InvalidApprovals("default_target is a URI, such as cli://")
        self._handlers: dict[str, Handler] = {}
        self._lock = Lock()  # protects the replacing of _handlers, which is never changed in place
        self._default_target = default_target
        self._redactor = redactor if redactor is not None else default_redactor()
        self._timeout_s = timeout_s
        self._most_message = most_message
        self._most_shown = most_shown
        self._clock = clock
        for scheme, handler in (handlers or {}).items():
            self.register(scheme, handler)

    def register(self, scheme: str, handler: Handler) -> None:
        """Let a handler answer for a scheme, in the place of one that did; raises `InvalidApprovals`."""
        if not NAME.fullmatch(scheme):
            raise InvalidApprovals("a scheme is in small letters, such as cli, without ://")
        if not callable(getattr(handler, "ask", None)) or isinstance(handler, type):
            raise InvalidApprovals(f"the handler of {scheme}:// has no method ask(request)")
        with self._lock:
            self._handlers = {**self._handlers, scheme: handler}

    def pending(self, outcome: Outcome[Any], scope: Scope, attempt: str = "", /) -> list[Asking]:
        """Plan what is to be put to whom, for every ask of an outcome; contacts nobody.

        Each is granted by its own target, so where one cannot be reached nobody is asked. A handler whose grants are
        used up by asking (`uses_up`) is asked last, when all others have granted.
        """
        found = [self._handler_of(ask) for ask in outcome.asks]
        why = next((reason for _, reason in found if reason), "")
        if not why and _differs(outcome):
            why = "what would be shown is not what was asked about"
        if why:
            pairs = zip(outcome.asks, found, strict=True)
            return [NotAsked(ask, reason or f"nobody was asked: {why}") for ask, (_, reason) in pairs]
        make = partial(self._request, outcome=outcome, scope=scope, attempt=attempt)
        handlers = {id(handler): handler for handler, _ in found if handler is not None}
        grouped = [
            (handler, [ask for ask, (its, _) in zip(outcome.asks, found, strict=True) if its is handler])
            for handler in sorted(handlers.values(), key=_is_used_up)
        ]
        return [one for handler, asks in grouped for one in self._planned(handler, asks, make)]

    def _handler_of(self, ask: StandingAsk) -> tuple[Handler | None, str]:
        """The handler of an ask, or why there is none; a target is not quoted, it may be made of anything."""
        target = ask.target if ask.target is not None else self._default_target
        if target is None:
            return None, "nobody can be asked: it names no target, and there is no default_target"
        scheme = SCHEME.match(target)
        if scheme is None:
            return None, "nobody can be asked: its target is no URI, such as cli://"
        handler = self._handlers.get(scheme[1].lower())
        return handler, "" if handler is not None else f"nobody is registered for {scheme[1].lower()}://"

    def _planned(self, handler: Handler, asks: list[StandingAsk], make: MakeRequest) -> list[Asking]:
        waits = [self._timeout_s if ask.timeout_s is None else ask.timeout_s for ask in asks]
        if len(asks) == 1 or not callable(getattr(handler, "ask_all", None)):
            pairs = zip(asks, waits, strict=True)
            return [Pending(ask, wait, Contact(handler, ask, make), self._redactor) for ask, wait in pairs]
        group = Group(cast("BatchHandler", handler), asks, make)
        shortest = min((wait for wait in waits if wait is not None), default=None)  # one review answers them all
        return [Pending(ask, shortest, partial(group, index), self._redactor) for index, ask in enumerate(asks)]

    def _request(self, ask: StandingAsk, *, outcome: Outcome[Any], scope: Scope, attempt: str) -> Request | NotShown:
        """What an approver is shown, or why it cannot be shown."""
        text = partial(redacted_text, self._redactor)
        value: object = outcome.value
        try:
            arguments = redacted(self._redactor, value.arguments if isinstance(value, ToolCall) else value)
            request = Request(
                id=secrets.token_hex(8),
                ask=ask,
                tool=text(value.name) if isinstance(value, ToolCall) else "",
                message=cut(text(ask.reason), self._most_message),
                arguments=arguments,
                interceptor=text(ask.interceptor),
                target=text(ask.target or self._default_target),
                session=text(scope.session),
                agent=text(scope.agent),
                attempt=attempt,
                created=self._clock(),
                timeout_s=self._timeout_s if ask.timeout_s is None else ask.timeout_s,
            )
        except Unredacted:
            return NotShown("nobody was asked: what they would be shown could not be redacted")
        if len(request.shown) > self._most_shown:
            return NotShown(f"nobody was asked: it takes more than {self._most_shown} characters to show")
        return request


def _is_used_up(handler: Handler) -> bool:
    return getattr(handler, "uses_up", False) is True


def _differs(outcome: Outcome[Any]) -> bool:
    """Whether a call is not the one whose digest the asks are for: somebody has changed the outcome."""
    if not isinstance(outcome.value, ToolCall):
        return False
    found = digest(outcome.value)
    return any(ask.seam == TOOL_CALL.name and ask.digest != found for ask in outcome.asks)
