"""The asks of one outcome, as they are put to handlers: what the engine runs, and what it reads of what came back."""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from threading import Lock
from typing import TypeAlias, cast

from attrs import Factory, define, evolve, field, frozen

from seamlaw import Answered, StandingAsk, answered, covers, grant, refuse

from ._redaction import Redactor, Unredacted, redacted_text
from ._request import BatchHandler, Handler, Request
from ._visible import cut, visible

__all__ = ["Contact", "Group", "MakeRequest", "NotAsked", "NotShown", "Pending"]

MOST_SAID = 200  # characters of a name and of a reason that an approver gives


@frozen
class NotShown:
    """Why an ask cannot be shown to anybody, in our own words."""

    reason: str


MakeRequest: TypeAlias = Callable[[StandingAsk], Request | NotShown]


def _read(ask: StandingAsk, said: object, redactor: Redactor) -> Answered:
    """Read an answer: `True`, or an `Answered` for just this ask, may grant; all else refuses."""
    if type(said) is NotShown:
        return refuse(ask, reason=said.reason)
    if type(said) is Answered and covers(said, ask):
        try:
            by = redacted_text(redactor, said.by) or None
            reason = redacted_text(redactor, said.reason)
        except Unredacted:
            return grant(ask) if said.granted is True else refuse(ask)
        return Answered(ask, said.granted is True, by and _short(by), _short(reason))
    answer = answered(ask, said)
    if answer.granted or said is False or said is None:
        return answer
    return evolve(answer, reason="what the approver answered grants nothing")


def _short(text: str) -> str:
    return visible(cut(text, MOST_SAID))


@frozen
class Pending:
    """One ask that is about to be put to somebody."""

    ask: StandingAsk
    timeout_s: float | None
    work: Callable[[], object] = field(repr=False)
    _redactor: Redactor = field(repr=False)

    def answered(self, said: object, /) -> Answered:
        """Read what `work`, or the awaitable from it, gave; only `True` grants, or a grant of this very ask."""
        return _read(self.ask, said, self._redactor)


class NotAsked:
    """An ask that is refused without contacting anybody, as a pending one."""

    timeout_s: float | None = None

    def __init__(self, ask: StandingAsk, reason: str) -> None:
        self.ask = ask
        self._reason = reason

    @property
    def work(self) -> Callable[[], object]:
        """Do nothing."""
        return partial(bool)

    def answered(self, _: object, /) -> Answered:
        """Refuse."""
        return refuse(self.ask, reason=self._reason)


@frozen
class Contact:
    """An ask and its handler, alone."""

    handler: Handler
    ask: StandingAsk
    make: MakeRequest = field(repr=False)

    def __call__(self) -> object:
        """Put the ask."""
        request = self.make(self.ask)
        return self.handler.ask(request) if isinstance(request, Request) else request


@define(eq=False)
class Group:
    """Several asks of one outcome that go to one handler at once: whichever comes first puts them all.

    `_lock` protects `_begun` alone; it is not held while the handler runs.
    """

    handler: BatchHandler
    asks: Sequence[StandingAsk]
    make: MakeRequest
    _begun: bool = False
    _answers: list[object] = field(default=Factory(lambda it: [None] * len(it.asks), takes_self=True))
    _lock: Lock = field(factory=Lock)

    def __call__(self, index: int) -> object:
        """Give the answer to one of the asks; `None`, which refuses, if there is none."""
        with self._lock:
            first, self._begun = not self._begun, True
        if not first:
            return self._answers[index]
        requests: list[Request] = []
        for number, ask in enumerate(self.asks):
            request = self.make(ask)
            if not isinstance(request, Request):
                self._answers[number] = request
                return self._answers[index]
            requests.append(request)
        said = self.handler.ask_all(requests)
        if inspect.isawaitable(said):
            return self._later(cast("Awaitable[object]", said), index)
        return self._kept(said, index)

    async def _later(self, said: Awaitable[object], index: int) -> object:
        return self._kept(await said, index)

    def _kept(self, said: object, index: int) -> object:
        if type(said) in (list, tuple) and len(cast("Sequence[object]", said)) == len(self.asks):
            self._answers[:] = cast("Sequence[object]", said)
        return self._answers[index]
