"""What the engine needs of the parts around it; each part is usable without the engine, and none knows it."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Protocol

from attrs import frozen

from seamlaw import Answered, Interceptors, Outcome, Scope, StandingAsk, refuse
from seamlaw_host.ledger import Happening

__all__ = ["Approvals", "NobodyApproves", "Pending", "Plugins", "Policed", "Recorder", "Telemetry", "Telling"]


class Policed(Protocol):
    """A policy, a pack: something that has interceptors."""

    def interceptors(self) -> Interceptors | None:
        """The bundle of it."""
        ...


class Plugins(Protocol):
    """What is loaded and unloaded while an engine runs, such as `seamlaw_host.plugins.PluginManager`."""

    @property
    def bundle(self) -> Interceptors | None:
        """All that is loaded now, as one value: another one as soon as anything has changed."""
        ...


class Recorder(Protocol):
    """A ledger: takes a happening at once, and makes a record of it when there is time."""

    def append(self, happening: Happening, /) -> None:
        """Take a happening; a sink that fails is the ledger's business."""
        ...


class Telling(Recorder, Protocol):
    """A ledger that also tells of each call from its beginning on."""

    def begun(self, attempt: str, tool: str, /) -> None:
        """Take notice that a call is being attempted, in the context of its caller; raises no `Exception`."""
        ...


class Telemetry(Protocol):
    """Something that tells of calls, such as `seamlaw_host.telemetry.Telemetry`."""

    def over(self, ledger: Recorder | None, /) -> Telling:
        """Stand before the ledger of an engine."""
        ...


class Pending(Protocol):
    """One ask that is about to be put to somebody."""

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
        """Contact them; gives the answer, or an awaitable of it."""
        ...

    def answered(self, said: object, /) -> Answered:
        """Read what came back; only the value `True` grants."""
        ...


class Approvals(Protocol):
    """Whoever can be asked."""

    def pending(self, outcome: Outcome[Any], scope: Scope, attempt: str, /) -> Iterable[Pending]:
        """What is to be put to whom, for every ask of an outcome, in order."""
        ...


@frozen
class _Unanswered:
    ask: StandingAsk
    timeout_s: float | None = None

    @property
    def work(self) -> Callable[[], object]:
        return partial(bool)  # False: nobody is contacted

    def answered(self, _: object, /) -> Answered:
        return refuse(self.ask, reason="nobody can be asked: Engine(approvals=…)")


class NobodyApproves:
    """No approvals are set up: every ask is refused, saying so."""

    def pending(self, outcome: Outcome[Any], _scope: Scope, _attempt: str, /) -> Iterable[Pending]:
        """One refusal for each ask."""
        return [_Unanswered(ask) for ask in outcome.asks]
